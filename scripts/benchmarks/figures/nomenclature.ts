/**
 * Loads a nomenclature of the size of the public one; then measures a search by words (contract section 20).
 */
import { join } from 'node:path';
import { NOMENCLATURE, publicSize } from '../../../test/nomenclature/support.ts';
import { type Bench, type Figure, type Measurement, atMost, measured } from '../figure.ts';
import { startCatp } from '../programs.ts';
import { median, percentile } from '../statistics.ts';

const LOAD_REACH_MS = 1000;
const SEARCH_P95_MS = 20;
const SEARCHES_A_ROUND = 100;
/** One word, several words, a word without matches, and digits. */
const TEXTS = ['máquinas', 'aparelhos elétricos exceto', 'bicicleta', 'animais viv', '8471', '8712.00'];

export const nomenclature: Figure = {
  name: 'nomenclature',
  about: 'nomenclatura de 15 000 linhas carregada; busca por palavras',
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  const catp = await startCatp(join(bench.scratch, 'nomenclature'));
  try {
    const headers = { ...(await catp.signIn('admin')), 'Content-Type': 'application/json' };
    const body = JSON.stringify(publicSize());
    const [loads, searches]: [number[], number[]] = [[], []];
    const took = async (path: string, init: RequestInit): Promise<number> => {
      const started = performance.now();
      const answer = await fetch(catp.url + path, { ...init, headers });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      return performance.now() - started;
    };
    for (let round = 0; round < bench.rounds; round += 1) {
      // The same file would not be loaded a second time.
      loads.push(
        await took(NOMENCLATURE, { method: 'POST', body: body.replace('2026', String(2027 + round)) }),
      );
      for (let search = 0; search < SEARCHES_A_ROUND; search += 1) {
        const text = TEXTS[search % TEXTS.length] ?? '';
        searches.push(await took(`/appliance/api/ncm?text=${encodeURIComponent(text)}`, {}));
      }
    }
    const p95 = percentile(searches, 95);
    return measured(
      atMost(median(loads), LOAD_REACH_MS),
      [
        { side: 'POST nomenclature', unit: 'ms', samples: loads },
        { side: 'GET ncm', unit: 'ms', samples: searches },
      ],
      { further: { searchP95: atMost(p95, SEARCH_P95_MS) } },
    );
  } finally {
    await catp.stop();
  }
}
