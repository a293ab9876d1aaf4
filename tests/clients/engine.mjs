// Shared by all checks with connect-node: the server's address, transports, results.
import { createRegistry } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import {
  compressionGzip,
  createConnectTransport,
  createGrpcTransport,
  Http2SessionManager,
} from "@connectrpc/connect-node";
import { EngineService } from "./gen/js/azulejo/engine/v1/engine_pb.js";
import { file_google_rpc_error_details } from "./gen/js/google/rpc/error_details_pb.js";

const baseUrl = process.env.URL;

// Counts requests by their HTTP method, on their way out.
export const used = { GET: 0, POST: 0 };
function counting() {
  const sessionManager = new Http2SessionManager(baseUrl);
  const request = sessionManager.request.bind(sessionManager);
  sessionManager.request = (method, ...rest) => {
    used[method] += 1;
    return request(method, ...rest);
  };
  return { httpVersion: "2", sessionManager };
}

const common = { baseUrl, defaultTimeoutMs: 10_000 };
const gzip = {
  sendCompression: compressionGzip,
  acceptCompression: [compressionGzip],
  compressMinBytes: 0,
};
const grpc = (options) => createGrpcTransport({ ...common, ...options });
const connect = (options) => createConnectTransport({ ...common, ...options });
const http1 = { httpVersion: "1.1" };
const http2 = { httpVersion: "2" };
const binary = { useBinaryFormat: true };
// As JSON, the details of a batch error can be read only with their types.
const registry = createRegistry(file_google_rpc_error_details);
const json = { useBinaryFormat: false, jsonOptions: { registry } };
const get = { useHttpGet: true };

export const transports = {
  "connect-node-grpc": grpc({}),
  "connect-node-binary": connect({ ...http2, ...binary }),
  "connect-node-json": connect({ ...http1, ...json }),
  "connect-node-get": connect({ ...counting(), ...binary, ...get }),
  "connect-node-get-json": connect({ ...counting(), ...json, ...get }),
  "connect-node-grpc-gzip": grpc(gzip),
  "connect-node-binary-gzip": connect({ ...http1, ...binary, ...gzip }),
  "connect-node-json-gzip": connect({ ...http2, ...json, ...gzip }),
};

export const clientOf = (transport) => createClient(EngineService, transport);

export const seeded = (number) => ({
  case: "seed",
  value: { seed: { case: "number", value: BigInt(number) } },
});

export function ok(text) {
  console.log(`ok      ${text}`);
}

export function expect(condition, text) {
  if (!condition) {
    console.log(`FAILED  ${text}`);
    process.exit(1);
  }
}

export function expectEqual(got, wanted, text) {
  const [one, other] = [JSON.stringify(got), JSON.stringify(wanted)];
  expect(one === other, `${text}: wanted ${other}, got ${one}`);
}
