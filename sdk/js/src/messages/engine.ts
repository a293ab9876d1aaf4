export * from "../../gen/azulejo/engine/v1/engine_pb.js";
