/** A search for a rare word in a large catalogue: as a list's filter, on a page, and in the global search. */
import { type Side, duel, rowOf } from '../duel.ts';
import { dataFolder } from '../data.ts';
import { type Bench, type Figure, type Measurement, atMost, measured } from '../figure.ts';
import { startCatp } from '../programs.ts';
import { median } from '../statistics.ts';

const MOST_MS = 10;
const COMPANY = 'cpfCnpjRaiz=12345678';
/** Words that occur in one product or in no product, of letters or of digits. */
const WORDS = ['fotovoltaico', '99123', 'xilofone', '4321', 'berílio', '76543', 'eletroímã', '31313'];

const WAYS = {
  page: (word: string) => `/appliance/api/products?${COMPANY}&text=${encodeURIComponent(word)}`,
  list: (word: string) => `/catp/api/ext/produto?${COMPANY}&denominacao=${encodeURIComponent(word)}`,
  search: (word: string) => `/appliance/api/search?${COMPANY}&text=${encodeURIComponent(word)}`,
};

export const filterText: Figure = {
  name: 'filterText',
  about: 'uma palavra rara procurada em um catálogo grande',
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  const { folder, products } = await dataFolder(bench, 'hundredThousand');
  const catp = await startCatp(folder);
  try {
    const headers = { ...(await catp.signIn('demo')) };
    const sides = Object.entries(WAYS).map(([name, pathOf]): Side => {
      const requests = WORDS.map((word) => ({ method: 'GET' as const, path: pathOf(word) }));
      return { name, pid: catp.pid, plan: { url: catp.url, headers, requests, connections: 1 } };
    });
    const reports = await duel(bench, sides);
    const verdicts = sides.map(({ name }, at) => {
      const p50 = median((reports[at] ?? []).map(({ p50Ms }) => p50Ms));
      return [name, atMost(p50, MOST_MS)] as const;
    });
    const [[, first], ...others] = verdicts as [(typeof verdicts)[number], ...typeof verdicts];
    return measured(
      first,
      sides.map((side, at) => rowOf(side, reports[at] ?? [], 'p50')),
      { further: Object.fromEntries(others), notes: [`${products} produtos`] },
    );
  } finally {
    await catp.stop();
  }
}
