/** The effect of receivers that never answer on healthy receivers: time from publication to arrival. */
import { join } from 'node:path';
import { type Receivers, publisher, startDelivering, startReceivers } from '../deliveries.ts';
import { type Bench, type Figure, type Measurement, atMost, measured } from '../figure.ts';
import type { Catp } from '../programs.ts';
import { median, medianRatio } from '../statistics.ts';

const REACH = 2;
const HEALTHY = 40;
const HANGING = 10;
const EVENTS_PER_SECOND = 10;

export const isolate: Figure = {
  name: 'isolate',
  about: 'p99 dos receptores sadios quando um quinto nunca responde',
  measure,
};

interface Side {
  readonly receivers: Receivers;
  readonly catp: Catp;
  readonly p50s: number[];
  readonly p99s: number[];
}

async function measure(bench: Bench): Promise<Measurement> {
  const sides: Side[] = [];
  try {
    const troubled = await open(bench, 'isolate-troubled', HANGING, sides);
    const alone = await open(bench, 'isolate-alone', 0, sides);
    for (let round = 1; round <= bench.rounds; round += 1) {
      await drive(bench, troubled);
      await drive(bench, alone);
      bench.say(`  p99 com ${troubled.p99s.at(-1)} ms, sem ${alone.p99s.at(-1)} ms`);
    }
    const row = (side: string, { p50s, p99s }: Side) => ({
      side,
      unit: 'ms p99',
      samples: p99s,
      p50Ms: median(p50s),
      p99Ms: median(p99s),
    });
    return measured(atMost(medianRatio(troubled.p99s, alone.p99s), REACH), [
      row(`com ${HANGING} que não respondem`, troubled),
      row(`${HEALTHY} sadios`, alone),
    ]);
  } finally {
    await Promise.all(sides.flatMap(({ catp, receivers }) => [catp.stop(), receivers.stop()]));
  }
}

async function open(bench: Bench, name: string, hanging: number, opened: Side[]): Promise<Side> {
  const receivers = await startReceivers(bench, HEALTHY, hanging);
  const catp = await startDelivering(join(bench.scratch, name), receivers);
  const side = { receivers, catp, p50s: [], p99s: [] };
  opened.push(side);
  await drive(bench, side);
  side.p50s.pop();
  side.p99s.pop();
  return side;
}

/** Publishes at a steady rate, and waits until every healthy receiver has all notifications. */
async function drive(bench: Bench, { receivers, catp, p50s, p99s }: Side): Promise<void> {
  const publish = await publisher(catp);
  await receivers.reset();
  const events = bench.seconds * EVENTS_PER_SECOND;
  const started = performance.now();
  for (let event = 0; event < events; event += 1) {
    await Bun.sleep(Math.max(0, started + (event * 1000) / EVENTS_PER_SECOND - performance.now()));
    await publish();
  }
  const { p50Ms, p99Ms } = await receivers.received(events * HEALTHY);
  p50s.push(p50Ms);
  p99s.push(p99Ms);
}
