/** Load by wrk, whose script cycles through prepared requests and reports in JSON. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: string;
}

export interface LoadPlan {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Each connection repeats them in this order. */
  readonly requests: readonly LoadRequest[];
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadReport {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly bytesPerSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

const MICROSECONDS_PER_SECOND = 1_000_000;
const MICROSECONDS_PER_MS = 1000;
/** A list of many megabytes takes time; waiting is not a failure. */
const TIMEOUT_SECONDS = 120;

/** Runs wrk once. Throws when any answer was not 2xx, or a connection failed. */
export async function runWrk(folder: string, plan: LoadPlan): Promise<LoadReport> {
  const script = join(folder, 'load.lua');
  writeFileSync(script, luaOf(plan));
  const child = Bun.spawn(
    [
      'wrk',
      '-t1',
      `-c${plan.connections}`,
      `-d${plan.seconds}s`,
      `--timeout=${TIMEOUT_SECONDS}s`,
      `-s${script}`,
      plan.url,
    ],
    { stdout: 'pipe', stderr: 'inherit' },
  );
  const output = await new Response(child.stdout).text();
  const line = /^REPORT (.*)$/m.exec(output)?.[1];
  if ((await child.exited) !== 0 || line === undefined) throw new Error(`wrk failed:\n${output}`);
  const raw = JSON.parse(line) as Record<
    'requests' | 'us' | 'bytes' | 'failures' | 'p50' | 'p95' | 'p99',
    number
  >;
  if (raw.failures > 0) throw new Error(`${raw.failures} of ${raw.requests} requests failed:\n${output}`);
  const seconds = raw.us / MICROSECONDS_PER_SECOND;
  return {
    requests: raw.requests,
    requestsPerSecond: raw.requests / seconds,
    bytesPerSecond: raw.bytes / seconds,
    p50Ms: raw.p50 / MICROSECONDS_PER_MS,
    p95Ms: raw.p95 / MICROSECONDS_PER_MS,
    p99Ms: raw.p99 / MICROSECONDS_PER_MS,
  };
}

/** Prepares the requests before the measurement: the generator must not be the bottleneck. */
function luaOf({ requests, headers }: LoadPlan): string {
  const calls = requests.map(
    ({ method, path, body }) =>
      `prepared[#prepared + 1] = wrk.format(${quoted(method)}, ${quoted(path)}, nil, ${body === undefined ? 'nil' : quoted(body)})`,
  );
  return `
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[ ${quoted(name)} ] = ${quoted(value)}`)
  .join('\n')}
local prepared, turn = {}, 0
function init()
  ${calls.join('\n  ')}
end
function request()
  turn = turn % #prepared + 1
  return prepared[turn]
end
function done(summary, latency)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  print(string.format('\\nREPORT {"requests":%d,"us":%d,"bytes":%d,"failures":%d,"p50":%d,"p95":%d,"p99":%d}',
    summary.requests, summary.duration, summary.bytes, failures,
    latency:percentile(50), latency:percentile(95), latency:percentile(99)))
end
`;
}

/** Returns a Lua long string; our texts never contain its terminator. */
const quoted = (text: string): string => `[==[${text}]==]`;
