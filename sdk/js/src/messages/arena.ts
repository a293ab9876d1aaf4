export * from "../../gen/azulejo/arena/v1/admin_pb.js";
export * from "../../gen/azulejo/arena/v1/arena_pb.js";
export * from "../../gen/azulejo/arena/v1/bots_pb.js";
export * from "../../gen/azulejo/arena/v1/challenges_pb.js";
export * from "../../gen/azulejo/arena/v1/ladder_pb.js";
export * from "../../gen/azulejo/arena/v1/matches_pb.js";
export * from "../../gen/azulejo/arena/v1/play_pb.js";
