/** Work in addition to single writes: a file of products, and links to their manufacturers. */
import type { Client } from '../client.ts';
import type { Claim } from '../restore/claims.ts';
import { until } from '../takeover/litestream.ts';

const COMPANY = '12345678';
const IMPORTS = '/appliance/api/imports';
const [OK, ACCEPTED] = [200, 202];
const LINKED = 20;

/** Imports products. Resolves when all are written. Throws when one is not. */
export async function importProducts(client: Client, count: number): Promise<void> {
  const items = Array.from({ length: count }, (_, index) => ({
    seq: index + 1,
    cpfCnpjRaiz: COMPANY,
    denominacao: `Peça ${index} de um arquivo`,
    modalidade: 'IMPORTACAO',
    ncm: '39269090',
  }));
  const form = new FormData();
  form.set('tipo', 'produto');
  form.set('file', new File([JSON.stringify(items)], 'produtos.json'));
  const started = await client.call('POST', IMPORTS, form);
  if (started?.status !== ACCEPTED) throw new Error(`importação: ${started?.text ?? 'sem resposta'}`);
  const { id } = started.body as { readonly id: number };
  await until(async () => {
    const answer = await client.call('GET', `${IMPORTS}/${id}`);
    const job = answer?.body as { readonly state: string; readonly created: number } | undefined;
    if (job?.state === 'done' && job.created !== count)
      throw new Error(`importação: ${answer?.text ?? 'sem resposta'}`);
    return job?.state === 'done';
  });
}

/** Links products. Throws when one is refused. */
export async function linkProducts(client: Client, claims: readonly Claim[]): Promise<void> {
  const products = new Set(claims.flatMap((claim) => (claim.kind === 'produto' ? [claim.codigo] : [])));
  const operator = claims.find((claim) => claim.kind === 'operador');
  for (const codigoProduto of [...products].slice(0, LINKED)) {
    const answer = await client.call('POST', `/catp/api/ext/fabricante/${COMPANY}`, {
      codigoProduto,
      codigoPais: 'DE',
      conhecido: true,
      codigoOperadorEstrangeiro: operator?.codigo,
    });
    if (answer?.status !== OK) throw new Error(`vínculo: ${answer?.text ?? 'sem resposta'}`);
  }
}
