/** Bytes of a product on the disk, with its versions, indexes and links. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from '../data.ts';
import { type Bench, type Figure, type Measurement, atMost, measured } from '../figure.ts';

const MOST_BYTES = 800;

export const bytesPerProduct: Figure = {
  name: 'bytesPerProduct',
  about: 'bytes em disco por produto de um catálogo grande',
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  const { folder, products } = await dataFolder(bench, 'million');
  const bytes = statSync(join(folder, 'catp.sqlite')).size / products;
  return measured(atMost(bytes, MOST_BYTES), [{ side: 'catp', unit: 'bytes', samples: [bytes] }], {
    notes: [`${products} produtos, um em cada dez com um vínculo, e outros 1000 de cinco versões`],
  });
}
