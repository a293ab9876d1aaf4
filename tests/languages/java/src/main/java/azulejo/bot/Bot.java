package azulejo.bot;

import static java.util.concurrent.TimeUnit.SECONDS;

import com.azulejo.arena.v1.BotsServiceGrpc;
import com.azulejo.arena.v1.HeartbeatRequest;
import com.azulejo.arena.v1.Hello;
import com.azulejo.arena.v1.Match;
import com.azulejo.arena.v1.MatchEnded;
import com.azulejo.arena.v1.MatchStatus;
import com.azulejo.arena.v1.Offer;
import com.azulejo.arena.v1.PlayEvent;
import com.azulejo.arena.v1.PlayRequest;
import com.azulejo.arena.v1.PlayServiceGrpc;
import com.azulejo.arena.v1.PlayServiceGrpc.PlayServiceBlockingStub;
import com.azulejo.arena.v1.ReadyRequest;
import com.azulejo.arena.v1.RegisterBotRequest;
import com.azulejo.arena.v1.Seating;
import com.azulejo.arena.v1.SubmitMoveRequest;
import com.azulejo.arena.v1.Turn;
import com.azulejo.game.v1.AzulRules;
import com.azulejo.game.v1.BoardSide;
import com.azulejo.game.v1.LegalMove;
import com.azulejo.game.v1.Ruleset;
import com.azulejo.game.v1.SummerPavilionRules;
import com.google.protobuf.ByteString;
import io.grpc.Channel;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.net.URI;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * A bot that uses only the code that protoc generates from the contract: any language with gRPC can
 * play.
 *
 * <p>A stream begins with a snapshot of all running matches. So if a call fails, or if the offer
 * changes, the bot opens a new stream and continues from there.
 *
 * <p>Environment: AZULEJO_SERVER; AZULEJO_TOKEN, or AZULEJO_NAME (OWNER/NAME) to register;
 * AZULEJO_GAME, {@code azul} or {@code summer-pavilion} for two players (default: all rulesets);
 * AZULEJO_MATCHES, the number of matches after which it ends (default: never).
 */
public final class Bot {
    private static final int MATCHES = Integer.parseInt(setting("AZULEJO_MATCHES", "0"));
    private static final int REGISTRATION_ATTEMPTS = 5;
    /** A new stream would fail too. */
    private static final Set<Code> FINAL = EnumSet.of(Code.PERMISSION_DENIED, Code.UNAUTHENTICATED);
    /** The call was too late: the turn or the match is over, or the turn is already answered. */
    private static final Set<Code> LATE = EnumSet.of(
            Code.ABORTED, Code.ALREADY_EXISTS, Code.FAILED_PRECONDITION, Code.NOT_FOUND);

    private final PlayServiceBlockingStub arena;
    private final SecureRandom random = new SecureRandom();
    /** The nonce of each match that the bot was asked to play. */
    private final Map<String, ByteString> nonces = new HashMap<>();
    private final Set<String> played = new HashSet<>();

    private Bot(Channel channel, String token) {
        var headers = new Metadata();
        var authorization = Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
        headers.put(authorization, "Bearer " + token);
        arena = PlayServiceGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    public static void main(String[] arguments) throws InterruptedException {
        var server = URI.create(setting("AZULEJO_SERVER", "http://127.0.0.1:7700"));
        ManagedChannel channel = ManagedChannelBuilder
                .forAddress(server.getHost(), server.getPort())
                .usePlaintext()
                .keepAliveTime(10, SECONDS)
                .build();
        try {
            var token = setting("AZULEJO_TOKEN", "");
            new Bot(channel, token.isEmpty() ? register(channel) : token).play();
        } finally {
            channel.shutdownNow();
        }
    }

    /** All attempts have the same request id, so that a lost answer does not register two bots. */
    private static String register(Channel channel) throws InterruptedException {
        var name = setting("AZULEJO_NAME", "you/java-bot").split("/", 2);
        var request = RegisterBotRequest.newBuilder()
                .setOwner(name[0])
                .setName(name[1])
                .setRequestId(UUID.randomUUID().toString())
                .build();
        for (int attempt = 1; ; attempt++) {
            try {
                var bots = BotsServiceGrpc.newBlockingStub(channel).withDeadlineAfter(10, SECONDS);
                return bots.registerBot(request).getToken();
            } catch (StatusRuntimeException lost) {
                var code = lost.getStatus().getCode();
                boolean again = code == Code.UNAVAILABLE || code == Code.DEADLINE_EXCEEDED;
                if (!again || attempt == REGISTRATION_ATTEMPTS) {
                    throw lost;
                }
                Thread.sleep(200L * attempt);
            }
        }
    }

    private void play() throws InterruptedException {
        while (!isDone()) {
            try (var stream = Context.current().withCancellation()) {
                stream.run(this::listen);
            } catch (StatusRuntimeException lost) {
                if (FINAL.contains(lost.getStatus().getCode())) {
                    throw lost;
                }
                System.out.println(lost.getMessage());
                Thread.sleep(200 + random.nextInt(800));
            }
        }
    }

    /** Handles the events of one stream until it ends or the offer changes. */
    private void listen() {
        int wanted = matchesWanted();
        var offer = Offer.newBuilder()
                .addAllRulesets(rulesets())
                .setMaxConcurrentMatches(wanted)
                .setAcceptsChallenges(true);
        var hello = Hello.newBuilder().setVersion("1").setSdk("java").setOffer(offer);
        var events = arena.play(PlayRequest.newBuilder().setHello(hello).build());
        while (wanted == matchesWanted() && !isDone() && events.hasNext()) {
            handle(events.next().getEvent());
        }
    }

    private void handle(PlayEvent event) {
        switch (event.getEventCase()) {
            case SNAPSHOT -> {
                event.getSnapshot().getSeatingsList().forEach(this::resume);
                end(event.getSnapshot().getEndedList());
            }
            case MATCH_STARTING -> getReady(event.getMatchStarting().getMatch());
            case TURN -> decide(event.getTurn());
            case MATCH_ENDED -> end(List.of(event.getMatchEnded()));
            case PING -> {
                long number = event.getPing().getNumber();
                beat(HeartbeatRequest.newBuilder().setPing(number).build());
            }
            case REPLACED -> throw new IllegalStateException("another process uses this token");
            default -> { } // Nothing to answer.
        }
    }

    private void resume(Seating seating) {
        if (seating.hasStarting()) {
            getReady(seating.getMatch());
        }
        if (seating.hasTurn()) {
            decide(seating.getTurn());
        }
    }

    private void getReady(Match match) {
        // A repeated Ready must have the same nonce.
        var nonce = nonces.computeIfAbsent(match.getId(), id -> {
            var bytes = new byte[32];
            random.nextBytes(bytes);
            return ByteString.copyFrom(bytes);
        });
        var ready = ReadyRequest.newBuilder().setMatchId(match.getId()).setNonce(nonce).build();
        call(() -> arena().ready(ready));
    }

    private void decide(Turn turn) {
        var value = Comparator.comparingInt(Bot::value);
        var best = turn.getLegalMovesList().stream().max(value).orElseThrow();
        var answer = SubmitMoveRequest.newBuilder()
                .setMatchId(turn.getMatchId())
                .setTurn(turn.getTurn())
                .setActionId(best.getActionId())
                .build();
        call(() -> arena().submitMove(answer));
    }

    /** Points first, then tiles. Fields of the other game are 0. */
    private static int value(LegalMove legal) {
        var azul = legal.getAzulEffect();
        var pavilion = legal.getSummerPavilionEffect();
        int points = azul.getWallPoints() - azul.getFloorPenalty()
                + pavilion.getPoints() - pavilion.getPointsLost();
        return 100 * points + azul.getTilesToLine() + pavilion.getTilesTaken();
    }

    private void end(List<MatchEnded> ends) {
        var received = HeartbeatRequest.newBuilder();
        for (var ended : ends) {
            var match = ended.getMatch();
            received.addEndedMatchIds(match.getId());
            if (match.getStatus() != MatchStatus.MATCH_STATUS_ENDED) {
                nonces.remove(match.getId()); // Voided: it does not count.
            } else if (played.add(match.getId())) {
                int place = match.getResult().getSeats(ended.getSeat()).getPlacement();
                var pool = match.getPool().getName();
                System.out.println(pool + " " + match.getId() + ": place " + place);
            }
        }
        if (!ends.isEmpty()) {
            beat(received.build());
        }
    }

    private void beat(HeartbeatRequest heartbeat) {
        call(() -> arena().heartbeat(heartbeat));
    }

    private PlayServiceBlockingStub arena() {
        return arena.withDeadlineAfter(10, SECONDS);
    }

    private static void call(Runnable call) {
        try {
            call.run();
        } catch (StatusRuntimeException refused) {
            if (!LATE.contains(refused.getStatus().getCode())) {
                throw refused;
            }
            System.out.println(refused.getMessage());
        }
    }

    private boolean isDone() {
        return MATCHES > 0 && played.size() >= MATCHES;
    }

    /** One match at a time, and none after the last. */
    private int matchesWanted() {
        return MATCHES > 0 && nonces.size() >= MATCHES ? 0 : 1;
    }

    private static List<Ruleset> rulesets() {
        var side = BoardSide.BOARD_SIDE_COLORED;
        var azul = AzulRules.newBuilder().setSide(side).setPlayers(2);
        var pavilion = SummerPavilionRules.newBuilder().setSide(side).setPlayers(2);
        var game = setting("AZULEJO_GAME", "");
        return switch (game) {
            case "" -> List.of();
            case "azul" -> List.of(Ruleset.newBuilder().setAzul(azul).build());
            case "summer-pavilion" ->
                List.of(Ruleset.newBuilder().setSummerPavilion(pavilion).build());
            default -> throw new IllegalArgumentException("unknown AZULEJO_GAME: " + game);
        };
    }

    private static String setting(String name, String usual) {
        return System.getenv().getOrDefault(name, usual);
    }
}
