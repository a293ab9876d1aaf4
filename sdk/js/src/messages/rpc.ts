export * from "../../gen/google/rpc/error_details_pb.js";
export * from "../../gen/google/rpc/status_pb.js";
