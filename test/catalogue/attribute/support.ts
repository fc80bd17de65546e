/** Builds small invented tables and products that fit them, and sends them to a server. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AttributeLists } from '../../../src/catalogue/attribute/words/model.ts';
import type { Client, TestApp } from '../../support/app.ts';

export const COMPANY = '12345678';
export const OTHER_COMPANY = '87654321';
export const TABLES = '/appliance/api/attribute-tables';

export const NO_ATTRIBUTES: AttributeLists = {
  atributos: [],
  atributosMultivalorados: [],
  atributosCompostos: [],
  atributosCompostosMultivalorados: [],
};

export interface TestPair {
  readonly codigo: string;
  readonly obrigatorio?: boolean;
  readonly from?: string;
  readonly to?: string;
}

const OBJETIVOS = [{ codigo: 7, descricao: 'Produto' }];

/** Builds a table file from pairs by dotted NCM; its attributes are texts of up to 10 characters. */
export function tableFile(versao: string, ncms: Readonly<Record<string, readonly TestPair[]>>): object {
  const codes = new Set(Object.values(ncms).flatMap((pairs) => pairs.map(({ codigo }) => codigo)));
  return {
    versao,
    listaNcm: Object.entries(ncms).map(([codigoNcm, pairs]) => ({
      codigoNcm,
      listaAtributos: pairs.map(({ codigo, obrigatorio = true, from = '2020-01-01', to }) => ({
        codigo,
        modalidade: 'Importação',
        obrigatorio,
        multivalorado: false,
        dataInicioVigencia: from,
        ...(to !== undefined && { dataFimVigencia: to }),
      })),
    })),
    detalhesAtributos: [...codes].map((codigo) => ({
      codigo,
      nome: `Inventado ${codigo}`,
      nomeApresentacao: `Inventado ${codigo}`,
      definicao: '',
      orientacaoPreenchimento: '',
      formaPreenchimento: 'TEXTO',
      tamanhoMaximo: 10,
      dataInicioVigencia: '2020-01-01',
      dataFimVigencia: '',
      dominio: [],
      objetivos: OBJETIVOS,
      orgaos: [],
      atributoCondicionante: false,
      condicionados: [],
      listaSubatributos: [],
    })),
  };
}

/** Builds the request for an imported product with these attributes. */
export const product = (ncm: string, ...codes: string[]) => ({
  denominacao: 'Produto inventado',
  modalidade: 'IMPORTACAO',
  ncm,
  atributos: codes.map((atributo) => ({ atributo, valor: 'x' })),
});

/** Loads a table file; returns its id. */
export async function load(admin: Client, file: object): Promise<number> {
  const reply = await admin.call('POST', TABLES, file);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.json.id;
}

/** Puts a table in force; `expected` is the number of deactivated products that confirms many. */
export async function activate(admin: Client, id: number, on?: string, expected?: number): Promise<unknown> {
  const body = { ...(on !== undefined && { on }), ...(expected !== undefined && { expected }) };
  const reply = await admin.call('POST', `${TABLES}/${id}/activate`, body);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.json;
}

/** Includes a product; returns its code. */
export async function include(client: Client, body: object, company = COMPANY): Promise<number> {
  const reply = await client.call('POST', `/catp/api/ext/produto/${company}`, body);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.json.codigo;
}

/** Includes `count` equal products in batches. */
export async function includeMany(
  client: Client,
  count: number,
  body: object,
  company = COMPANY,
): Promise<void> {
  for (let done = 0; done < count; done += 100) {
    const items = Array.from({ length: Math.min(100, count - done) }, (_, index) => ({
      seq: index + 1,
      cpfCnpjRaiz: company,
      ...body,
    }));
    const reply = await client.call('POST', '/catp/api/ext/produto', items);
    if (reply.status !== 200 || reply.json.some((one: { sucesso: boolean }) => !one.sucesso))
      throw new Error(reply.text);
  }
}

/** Returns the situations of the products of a company by code. */
export async function situations(client: Client, company = COMPANY): Promise<Record<number, string>> {
  const reply = await client.call('GET', `/catp/api/ext/produto?cpfCnpjRaiz=${company}`);
  const list: { codigo: number; situacao: string }[] = reply.status === 204 ? [] : reply.json;
  return Object.fromEntries(list.map(({ codigo, situacao }) => [codigo, situacao]));
}

/** Returns company, NCM and codes of each published event `catp-prod-desativado`, oldest first. */
export function deactivations({ app }: TestApp): [company: string, ncm: string, codes: number[]][] {
  return app.core.db
    .prepare<[], string>(`SELECT conteudo FROM event WHERE evento = 'catp-prod-desativado' ORDER BY id`)
    .pluck()
    .all()
    .map((text) => {
      const { cpfCnpjRaiz, ncm, codigosProduto } = JSON.parse(text);
      return [cpfCnpjRaiz, ncm, codigosProduto.map(Number)];
    });
}

/** Waits, turn by turn of the event loop, until the condition is true. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await nextTurn();
}
