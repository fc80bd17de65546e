/**
 * The attribute table in force during inclusions: the size of the public one, and one NCM with 20 attributes.
 */
import { publicTable } from '../../test/support/public-table.ts';
import type { Catp } from './programs.ts';
import { CHECKED_ATTRIBUTES, CHECKED_NCM } from './products.ts';

const START = '2023-01-01';
const DOMAIN = Array.from({ length: 12 }, (_, index) => ({
  codigo: String(index + 1).padStart(2, '0'),
  descricao: `Valor inventado ${index + 1}`,
}));

/**
 * Returns the JSON of the file. `full`: with the size of the public table, otherwise with the one NCM alone.
 */
function tableFile({ full }: { readonly full: boolean }): string {
  const table = JSON.parse(full ? publicTable() : publicTable({ ncms: 0, pairs: 0, attributes: 0 }));
  table.detalhesAtributos.push(...CHECKED_ATTRIBUTES.map(detailOf));
  table.listaNcm.push({
    codigoNcm: `${CHECKED_NCM.slice(0, 4)}.${CHECKED_NCM.slice(4, 6)}.${CHECKED_NCM.slice(6)}`,
    listaAtributos: CHECKED_ATTRIBUTES.map(({ codigo }) => ({
      codigo,
      modalidade: 'Importação',
      obrigatorio: true,
      multivalorado: false,
      dataInicioVigencia: START,
    })),
  });
  return JSON.stringify(table);
}

function detailOf({ codigo, valor: _, ...form }: (typeof CHECKED_ATTRIBUTES)[number]) {
  return {
    codigo,
    nome: `Atributo inventado ${codigo}`,
    nomeApresentacao: `Inventado ${codigo}`,
    definicao: 'Atributo inventado para medir.',
    orientacaoPreenchimento: '',
    ...form,
    dataInicioVigencia: START,
    dataFimVigencia: '',
    dominio: form.formaPreenchimento === 'LISTA_ESTATICA' ? DOMAIN : [],
    objetivos: [{ codigo: 7, descricao: 'Produto' }],
    orgaos: ['INVENTADO'],
    atributoCondicionante: false,
    condicionados: [],
    listaSubatributos: [],
  };
}

const TABLES = '/appliance/api/attribute-tables';

/**
 * Loads the table and puts it in force. Throws when a product that lacks an attribute is accepted afterwards.
 */
export async function putTableInForce(catp: Catp, options: { readonly full: boolean }): Promise<void> {
  const tokens = await catp.signIn('admin');
  const send = async (method: string, path: string, body?: string): Promise<unknown> => {
    const headers = { ...tokens, 'Content-Type': 'application/json' };
    const answer = await fetch(`${catp.url}${path}`, { method, headers, body: body ?? null });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const { id } = (await send('POST', TABLES, tableFile(options))) as { id: number };
  const { total: expected } = (await send('GET', `${TABLES}/${id}/impact`)) as { total: number };
  await send('POST', `${TABLES}/${id}/activate`, JSON.stringify({ expected }));
  await requireRefusal(catp);
}

async function requireRefusal(catp: Catp): Promise<void> {
  const answer = await fetch(`${catp.url}/catp/api/ext/produto/12345678`, {
    method: 'POST',
    headers: { ...(await catp.signIn('demo')) },
    body: JSON.stringify({ denominacao: 'Sem atributos', modalidade: 'IMPORTACAO', ncm: CHECKED_NCM }),
  });
  const { detail } = (await answer.json()) as { detail?: readonly unknown[] };
  if (answer.status !== 422 || detail?.length !== CHECKED_ATTRIBUTES.length)
    throw new Error(`The table is not in force: a product without its attributes got ${answer.status}.`);
}
