/**
 * Notifications per second to healthy receivers, compared with bare HTTPS POSTs of the same bodies to the
 * same receivers.
 */
import { join } from 'node:path';
import { timed } from '../commands.ts';
import { publisher, startDelivering, startReceivers } from '../deliveries.ts';
import { type Bench, type Figure, type Measurement, atLeast, measured } from '../figure.ts';
import { peakMib } from '../machine.ts';
import { type Catp, baselineCommand } from '../programs.ts';
import { median, medianRatio } from '../statistics.ts';

const REACH = 0.8;
const RECEIVERS = 50;
const EVENTS = 400;
const QUICK_EVENTS = 60;

export const deliver: Figure = {
  name: 'deliver',
  about: 'notificações por segundo a 50 receptores TLS',
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  const events = bench.quick ? QUICK_EVENTS : EVENTS;
  const receivers = await startReceivers(bench, RECEIVERS);
  let catp: Catp | undefined;
  try {
    catp = await startDelivering(join(bench.scratch, 'deliver'), receivers);
    const publish = await publisher(catp);
    const { caFile, ports } = receivers;
    const total = events * RECEIVERS;
    const [ours, theirs, p50s, p99s]: [number[], number[], number[], number[]] = [[], [], [], []];
    // Round 0 warms both up: connections, certificates, compiled code.
    for (let round = 0; round <= bench.rounds; round += 1) {
      await receivers.reset();
      for (let event = 0; event < events; event += 1) await publish();
      const delivered = await receivers.received(total);
      await receivers.reset();
      await timed(baselineCommand('post-all', [caFile, String(total), ports.join()]));
      const posted = await receivers.received(total);
      if (round === 0) continue;
      ours.push(perSecond(total, delivered.ms));
      theirs.push(perSecond(total, posted.ms));
      p50s.push(delivered.p50Ms);
      p99s.push(delivered.p99Ms);
      bench.say(`  catp ${Math.round(ours.at(-1) ?? 0)}/s, POST ${Math.round(theirs.at(-1) ?? 0)}/s`);
    }
    return measured(
      atLeast(medianRatio(ours, theirs), REACH),
      [
        {
          side: 'catp',
          unit: '/s',
          samples: ours,
          peakMib: peakMib(catp.pid),
          p50Ms: median(p50s),
          p99Ms: median(p99s),
        },
        { side: 'node:https', unit: '/s', samples: theirs },
      ],
      { notes: [`${total} notificações por rodada; p50 e p99 da publicação à chegada, com todas na fila`] },
    );
  } finally {
    await Promise.all([catp?.stop(), receivers.stop()]);
  }
}

const perSecond = (count: number, ms: number): number => (count / ms) * 1000;
