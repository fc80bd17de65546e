/**
 * `receivers.ts CA_FILE HEALTHY HANGING`: TLS receivers in their own process, with a plain HTTP port for
 * control: `/ports` in order, the hanging ones last; `/counts` since the last `/reset`.
 */
import { writeFileSync } from 'node:fs';
import { createAuthority } from '../../../src/authority/authority.ts';
import { type Received, startReceiver } from '../../../src/receiver/receiver.ts';
import { percentile } from '../statistics.ts';
import { serve } from './serve.ts';

const [caFile = '', healthy = '0', hanging = '0'] = process.argv.slice(2);
const authority = await createAuthority(Date.now());
writeFileSync(caFile, authority.pem);

let count = 0;
let [firstAt, lastAt] = [0, 0];
let delays: number[] = [];

/** The body of a notification contains the time of its publication. */
function note({ at, body }: Received): void {
  if (count === 0) firstAt = at;
  count += 1;
  lastAt = at;
  delays.push(at - (JSON.parse(body) as { at: number }).at);
}

const ports: number[] = [];
for (let index = 0; index < Number(healthy); index += 1) {
  const receiver = await startReceiver({
    authority,
    onReceived: (received) => {
      note(received);
      receiver.requests.length = 0; // a test keeps the received bodies; a benchmark would only fill the memory
    },
  });
  ports.push(receiver.port);
}
for (let index = 0; index < Number(hanging); index += 1)
  ports.push((await startReceiver({ authority, script: [{ kind: 'hang' }] })).port);

serve((request) => {
  const { pathname } = new URL(request.url);
  if (pathname === '/ports') return Response.json(ports);
  if (pathname === '/counts')
    return Response.json({
      count,
      ms: lastAt - firstAt,
      p50Ms: percentile(delays, 50),
      p99Ms: percentile(delays, 99),
    });
  [count, delays] = [0, []];
  return new Response(null, { status: 204 });
});
