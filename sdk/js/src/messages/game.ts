export * from "../../gen/azulejo/game/v1/azul_pb.js";
export * from "../../gen/azulejo/game/v1/chance_pb.js";
export * from "../../gen/azulejo/game/v1/game_pb.js";
export * from "../../gen/azulejo/game/v1/rules_pb.js";
export * from "../../gen/azulejo/game/v1/summer_pavilion_pb.js";
