/** Users of one company with each right, and their proposals. */
import { expect } from 'bun:test';
import type { Right } from '../../../src/right.ts';
import { type Client, type OpenAppOptions, type Reply, type TestApp, openApp } from '../../support/app.ts';
import { ended, importRows } from '../sheet/support.ts';

export const COMPANY = '12345678';
export const OTHER_COMPANY = '87654321';
export const IMPORTS = '/appliance/api/imports';
export const PROPOSALS = '/appliance/api/proposals';
export const PRODUCTS = '/catp/api/ext/produto';

export const AUTHOR = '11111111111';
export const APPROVER = '00000000191';

export const PRODUCT = {
  denominacao: 'Caixa',
  descricao: 'Caixa plástica',
  modalidade: 'IMPORTACAO',
  ncm: '39269090',
};

export interface Office {
  readonly server: TestApp;
  readonly admin: Client;
  /** Has the right `preenchimento` over COMPANY. */
  readonly author: Client;
  /** Has the right `aprovacao` over both companies. */
  readonly approver: Client;
  /** Has the right `aprovacao` over COMPANY. */
  readonly other: Client;
  readonly reader: Client;
  readonly give: (documento: string, papel: Right, cpfCnpjRaiz?: string) => Promise<void>;
}

export async function openOffice(options: OpenAppOptions = {}): Promise<Office> {
  const server = await openApp(options);
  const admin = await server.as('admin');
  const give: Office['give'] = async (documento, papel, cpfCnpjRaiz = COMPANY) => {
    const members = { documento, cpfCnpjRaiz, perfil: 'IMPEXP', papel };
    expect((await admin.call('POST', '/appliance/api/representations', members)).status).toBe(200);
  };
  const join = async (documento: string, nome: string, papel: Right): Promise<Client> => {
    if (options.folder === undefined) {
      await admin.call('POST', '/appliance/api/users', { documento, nome, tipo: 'PRIV' });
      await give(documento, papel);
      await server.app.core.session.accounts.addKey({ documento }, 'sistema', {
        clientId: nome,
        clientSecret: nome,
      });
    }
    return server.as(nome);
  };
  return {
    server,
    admin,
    author: await join(AUTHOR, 'Bia', 'preenchimento'),
    reader: await join('22222222222', 'Leo', 'leitura'),
    approver: await server.as('demo'),
    other: await server.as('demo2'),
    give,
  };
}

export const include = async (client: Client, members: object = {}): Promise<number> => {
  const reply = await client.call('POST', `${PRODUCTS}/${COMPANY}`, { ...PRODUCT, ...members });
  expect(reply.status).toBe(200);
  return Number(reply.json.codigo);
};

export const productOf = async (client: Client, codigo: number) =>
  (await client.call('GET', `${PRODUCTS}?cpfCnpjRaiz=${COMPANY}&codigo=${codigo}`)).json[0];

/** Runs a dry run of a sheet that changes the descriptions of products. */
export async function simulate(
  client: Client,
  rows: readonly (readonly [codigo: number | string, descricao: string])[],
): Promise<number> {
  const cells = [['Código do produto', 'Descrição'], ...rows.map(([codigo, text]) => [`${codigo}`, text])];
  const mapping = [
    { index: 0, target: 'codigo' },
    { index: 1, target: 'descricao' },
  ];
  const { id, job } = await importRows(client, cells, { simular: true, mapping, key: 'codigo' });
  expect(job).toMatchObject({ state: 'done', simular: true });
  return id;
}

export const item = (seq: number, members: object = {}) => ({
  seq,
  cpfCnpjRaiz: COMPANY,
  ...PRODUCT,
  ...members,
});

/** Runs a dry run of a file of products: items as JSON, or the bytes of a zip. */
export async function upload(
  client: Client,
  content: readonly object[] | Uint8Array,
  { name = 'produtos.json', ...fields }: Readonly<Record<string, string>> = {},
) {
  const form = new FormData();
  const bytes = content instanceof Uint8Array ? content : JSON.stringify(content);
  form.append('file', new File([bytes as string], name));
  for (const [field, value] of Object.entries({ tipo: 'produto', simular: 'true', ...fields }))
    form.append(field, value);
  return ended(client, await client.call('POST', IMPORTS, form));
}

export const propose = (client: Client, id: number, body: object = {}): Promise<Reply> =>
  client.call('POST', `${IMPORTS}/${id}/propose`, body);

export const decide = (
  client: Client,
  id: number,
  decision: 'approve' | 'reject' | 'withdraw',
  body: object = decision === 'reject' ? { reason: 'Falta a nota.' } : {},
): Promise<Reply> =>
  client.call('POST', `${IMPORTS}/${id}/${decision}`, decision === 'withdraw' ? undefined : body);

/** Simulates a sheet, and proposes the dry run. */
export async function proposed(
  client: Client,
  rows: readonly (readonly [codigo: number | string, descricao: string])[],
): Promise<number> {
  const id = await simulate(client, rows);
  expect((await propose(client, id)).json).toEqual({ id });
  return id;
}

/** Approves a proposal, and waits for the end of the import. */
export async function approved(client: Client, id: number, body: object = {}) {
  const reply = await decide(client, id, 'approve', body);
  expect([reply.status, reply.text]).toEqual([202, expect.stringMatching(/^\{"id":\d+\}$/)]);
  return ended(client, reply);
}

export const proposalOf = async (client: Client, id: number) =>
  (await client.call('GET', PROPOSALS)).json.find((one: { readonly id: number }) => one.id === id);

export const codeOf = ({ status, json }: Reply): readonly [number, string] => [
  status,
  json.detail[0]?.code ?? json.code,
];

/** Returns the contents of the events of proposals, oldest first. */
export async function eventsOf({ admin }: Office) {
  const all = (await admin.call('GET', '/appliance/api/events?evento=catp-proposta')).json;
  return all
    .map(({ conteudo }: { readonly conteudo: unknown }) =>
      typeof conteudo === 'string' ? JSON.parse(conteudo) : conteudo,
    )
    .toReversed();
}
