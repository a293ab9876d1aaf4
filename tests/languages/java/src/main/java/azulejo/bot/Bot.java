package azulejo.bot;

import static java.util.concurrent.TimeUnit.SECONDS;

import azulejo.arena.v1.Arena.Match;
import azulejo.arena.v1.Arena.MatchStatus;
import azulejo.arena.v1.Bots.RegisterBotRequest;
import azulejo.arena.v1.BotsServiceGrpc;
import azulejo.arena.v1.Play.HeartbeatRequest;
import azulejo.arena.v1.Play.Hello;
import azulejo.arena.v1.Play.MatchEnded;
import azulejo.arena.v1.Play.Offer;
import azulejo.arena.v1.Play.PlayEvent;
import azulejo.arena.v1.Play.PlayRequest;
import azulejo.arena.v1.Play.ReadyRequest;
import azulejo.arena.v1.Play.Seating;
import azulejo.arena.v1.Play.SubmitMoveRequest;
import azulejo.arena.v1.Play.Turn;
import azulejo.arena.v1.PlayServiceGrpc;
import azulejo.arena.v1.PlayServiceGrpc.PlayServiceBlockingStub;
import azulejo.game.v1.Game.LegalMove;
import azulejo.game.v1.Rules.AzulRules;
import azulejo.game.v1.Rules.BoardSide;
import azulejo.game.v1.Rules.Ruleset;
import azulejo.game.v1.Rules.SummerPavilionRules;
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

/**
 * A bot made from nothing but what protoc makes of the contract: whatever speaks gRPC can play.
 *
 * <p>A stream begins with a snapshot that tells how things stand. So whenever a call is lost or
 * refused, or the offer changes, the bot opens a new stream and goes on from there.
 *
 * <p>By the environment: AZULEJO_SERVER; AZULEJO_TOKEN, or AZULEJO_NAME (OWNER/NAME) to register;
 * AZULEJO_GAME, {@code azul} or {@code summer-pavilion} for two players, else any table;
 * AZULEJO_MATCHES, after which it ends.
 */
public final class Bot {
    private static final int MATCHES = Integer.parseInt(setting("AZULEJO_MATCHES", "0"));
    /** No stream will ever be had. */
    private static final Set<Code> FINAL = EnumSet.of(Code.PERMISSION_DENIED, Code.UNAUTHENTICATED);
    /** It came too late: the turn or the match is over. */
    private static final Set<Code> LATE =
            EnumSet.of(Code.ABORTED, Code.FAILED_PRECONDITION, Code.NOT_FOUND);

    private final PlayServiceBlockingStub arena;
    private final SecureRandom random = new SecureRandom();
    /** The nonce for each match that the bot was called to. */
    private final Map<String, ByteString> called = new HashMap<>();
    private final Set<String> played = new HashSet<>();
    private long ping;

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

    private static String register(Channel channel) {
        var name = setting("AZULEJO_NAME", "you/java-bot").split("/", 2);
        var request = RegisterBotRequest.newBuilder().setOwner(name[0]).setName(name[1]).build();
        return BotsServiceGrpc.newBlockingStub(channel).registerBot(request).getToken();
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

    /** Hears one stream, to its end or until the offer changes. */
    private void listen() {
        int offer = gamesWanted();
        var hello = Hello.newBuilder().setVersion("1").setSdk("java").setOffer(Offer.newBuilder()
                .addAllRulesets(rulesets()).setGamesAtOnce(offer).setAcceptsChallenges(true));
        var events = arena.play(PlayRequest.newBuilder().setHello(hello).build());
        while (offer == gamesWanted() && !isDone() && events.hasNext()) {
            take(events.next().getEvent());
        }
    }

    private void take(PlayEvent event) {
        switch (event.getEventCase()) {
            case SNAPSHOT -> {
                event.getSnapshot().getSeatingsList().forEach(this::takeSeat);
                event.getSnapshot().getEndedList().forEach(this::end);
            }
            case MATCH_STARTING -> getReady(event.getMatchStarting().getMatch());
            case TURN -> decide(event.getTurn());
            case MATCH_ENDED -> {
                end(event.getMatchEnded());
                beat(event.getSeq());
            }
            case PING -> {
                ping = event.getPing().getNumber();
                beat(event.getSeq());
            }
            case REPLACED -> throw new IllegalStateException("another process uses this token");
            default -> { } // What others do, and farewells: nothing to answer.
        }
    }

    private void takeSeat(Seating seating) {
        if (seating.hasStarting()) {
            getReady(seating.getMatch());
        }
        if (seating.hasTurn()) {
            decide(seating.getTurn());
        }
    }

    private void getReady(Match match) {
        // The same nonce if it is said again.
        var nonce = called.computeIfAbsent(match.getId(), id -> {
            var bytes = new byte[32];
            random.nextBytes(bytes);
            return ByteString.copyFrom(bytes);
        });
        var ready = ReadyRequest.newBuilder().setMatchId(match.getId()).setNonce(nonce).build();
        say(() -> soon().ready(ready));
    }

    private void decide(Turn turn) {
        var worth = Comparator.comparingInt(Bot::worth);
        var best = turn.getLegalMovesList().stream().max(worth).orElseThrow();
        var answer = SubmitMoveRequest.newBuilder()
                .setMatchId(turn.getMatchId())
                .setTurn(turn.getTurn())
                .setActionId(best.getActionId())
                .build();
        say(() -> soon().submitMove(answer));
    }

    /** A long line rather than a short one or the floor, a dear space rather than a pass. */
    private static int worth(LegalMove legal) {
        var move = legal.getMove();
        return move.getAzul().getTake().getLine() + move.getSummerPavilion().getPlace().getSpace();
    }

    private void end(MatchEnded ended) {
        var match = ended.getMatch();
        if (match.getStatus() != MatchStatus.MATCH_STATUS_ENDED) {
            called.remove(match.getId()); // Called off: another one takes its place.
        } else if (played.add(match.getId())) {
            int place = match.getResult().getSeats(ended.getSeat()).getPlacement();
            var pool = match.getPool().getName();
            System.out.println(pool + " " + match.getId() + ": place " + place);
        }
    }

    private void beat(long seen) {
        var heartbeat = HeartbeatRequest.newBuilder().setPing(ping).setSeen(seen).build();
        say(() -> soon().heartbeat(heartbeat));
    }

    private PlayServiceBlockingStub soon() {
        return arena.withDeadlineAfter(10, SECONDS);
    }

    private static void say(Runnable call) {
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

    /** One at a time, and none beyond the last. */
    private int gamesWanted() {
        return MATCHES > 0 && called.size() >= MATCHES ? 0 : 1;
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
            default -> throw new IllegalArgumentException("AZULEJO_GAME: there is no game " + game);
        };
    }

    private static String setting(String name, String usual) {
        return System.getenv().getOrDefault(name, usual);
    }
}
