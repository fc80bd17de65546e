/** A company's list as of a day, compared with the list without one, in a large catalogue. */
import { dataFolder } from '../data.ts';
import { type Side, duel, rowOf } from '../duel.ts';
import { type Bench, type Figure, type Measurement, atMost, measured } from '../figure.ts';
import { startCatp } from '../programs.ts';
import { medianRatio } from '../statistics.ts';

const REACH = 2;
const DAY_MS = 86_400_000;
/**
 * Products were created up to 1000 days ago: at this age most have versions, and many have another version
 * than today.
 */
const DAYS_AGO = 100;

export const asOf: Figure = {
  name: 'asOf',
  about: 'lista de 1000 produtos de 5 versões com dataReferencia e sem',
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  const data = await dataFolder(bench, 'million');
  const catp = await startCatp(data.folder);
  try {
    const headers = { ...(await catp.signIn('demo')) };
    const path = '/catp/api/ext/produto?cpfCnpjRaiz=87654321';
    const day = new Date(Date.now() - DAYS_AGO * DAY_MS).toISOString().slice(0, 10);
    const side = (name: string, query: string): Side => ({
      name,
      pid: catp.pid,
      plan: { url: catp.url, headers, requests: [{ method: 'GET', path: path + query }], connections: 1 },
    });
    const [then, now] = [side('com dataReferencia', `&dataReferencia=${day}`), side('sem', '')];
    const [asOfDay, today] = await duel(bench, [then, now]);
    const ratio = medianRatio(
      asOfDay.map(({ p50Ms }) => p50Ms),
      today.map(({ p50Ms }) => p50Ms),
    );
    return measured(atMost(ratio, REACH), [rowOf(then, asOfDay, 'p50'), rowOf(now, today, 'p50')]);
  } finally {
    await catp.stop();
  }
}
