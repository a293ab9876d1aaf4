// Distributes calls over all addresses of a server: a single HTTP/2 connection would send all of
// them to one pod of a cluster.

import type { LookupFunction } from "node:net";
import { lookup } from "node:dns/promises";
import type { Interceptor, Transport } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import type { ConnectOptions } from "./options.js";

/** HTTP/2 pings: often enough for any proxy, and far less often than servers tolerate. */
export const KEEPALIVE = {
  pingIntervalMs: 10_000,
  pingTimeoutMs: 5_000,
  pingIdleConnection: false,
};

/** Addresses are resolved again after this time. */
const FRESH_MS = 10_000;

/** How to connect to the engine. */
export interface EngineOptions extends ConnectOptions {
  /** Resolves a host name. Default: DNS (a headless service resolves to all pods). */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

interface Pod {
  readonly transport: Transport;
  readonly sessions: Http2SessionManager;
}

/** One connection for each address, used in turn (round robin). */
export class Balance {
  readonly #url: URL;
  readonly #interceptors: Interceptor[];
  readonly #resolve: (host: string) => Promise<readonly string[]>;
  #pods = new Map<string, Pod>();
  #fresh: Promise<void> | undefined;
  #since = 0;
  #turn = 0;

  readonly transport: Transport = {
    unary: async (method, signal, timeoutMs, header, input, values) => {
      const { transport } = await this.#next();
      return this.#watched(transport.unary(method, signal, timeoutMs, header, input, values));
    },
    stream: async (method, signal, timeoutMs, header, input, values) => {
      const { transport } = await this.#next();
      return this.#watched(transport.stream(method, signal, timeoutMs, header, input, values));
    },
  };

  constructor(server: string, interceptors: Interceptor[], options: EngineOptions) {
    this.#url = new URL(server);
    this.#interceptors = interceptors;
    this.#resolve = options.resolve ?? addresses;
  }

  close(): void {
    this.#pods.forEach(({ sessions }) => {
      sessions.abort();
    });
  }

  async #watched<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (ConnectError.from(error).code === Code.Unavailable) {
        // The address may be gone: resolve again.
        this.#since = 0;
      }
      throw error;
    }
  }

  async #next(): Promise<Pod> {
    if (performance.now() - this.#since > FRESH_MS || this.#since === 0) {
      this.#fresh ??= this.#refresh().finally(() => (this.#fresh = undefined));
      await this.#fresh;
    }
    const pods = [...this.#pods.values()];
    const pod = pods[this.#turn % pods.length];
    this.#turn += 1;
    if (pod === undefined) {
      throw new ConnectError(`${this.#url.hostname} has no addresses`, Code.Unavailable);
    }
    return pod;
  }

  async #refresh(): Promise<void> {
    let found: readonly string[];
    try {
      found = await this.#resolve(this.#url.hostname.replace(/^\[|\]$/g, ""));
    } catch (error) {
      const message = `cannot resolve ${this.#url.hostname}`;
      throw new ConnectError(message, Code.Unavailable, undefined, undefined, error);
    }
    const before = this.#pods;
    this.#pods = new Map(found.map((at) => [at, before.get(at) ?? this.#connect(at)]));
    this.#since = performance.now();
  }

  // The request keeps the host name, for certificates and proxies; only the address is fixed.
  #connect(address: string): Pod {
    const at = { address, family: address.includes(":") ? 6 : 4 };
    const find: LookupFunction = (_host, options, found) => {
      if (options.all === true) {
        found(null, [at]);
      } else {
        found(null, at.address, at.family);
      }
    };
    const baseUrl = this.#url.href;
    const sessions = new Http2SessionManager(baseUrl, KEEPALIVE, { lookup: find });
    const interceptors = this.#interceptors;
    const transport = createGrpcTransport({ baseUrl, interceptors, sessionManager: sessions });
    return { transport, sessions };
  }
}

async function addresses(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}
