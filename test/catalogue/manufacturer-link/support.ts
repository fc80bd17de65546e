/** Creates the records that links need: products, and operators of the company. */
import { type Client, type Reply, START, type TestApp } from '../../support/app.ts';

export const COMPANY = '12345678';
export const LINKS = '/catp/api/ext/fabricante';

/** Includes a product and returns its code. */
export async function givenProduct(client: Client, cpfCnpjRaiz = COMPANY): Promise<number> {
  const product = { denominacao: 'Parafuso sextavado', modalidade: 'IMPORTACAO', ncm: '73181500' };
  const reply = await client.call('POST', `/catp/api/ext/produto/${cpfCnpjRaiz}`, product);
  if (reply.status !== 200) throw new Error(`The product was not included: ${reply.text}`);
  return reply.json.codigo as number;
}

export async function givenDeactivatedProduct(client: Client): Promise<number> {
  const codigo = await givenProduct(client);
  const reply = await client.call('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${codigo}`);
  if (reply.status !== 200) throw new Error(`The product was not deactivated: ${reply.text}`);
  return codigo;
}

export async function givenDraft(client: Client): Promise<number> {
  const draft = { seq: 1, cpfCnpjRaiz: COMPANY, denominacao: 'Parafuso', situacao: 'RASCUNHO' };
  const reply = await client.call('POST', '/catp/api/ext/produto', [draft]);
  return Number(reply.json[0].codigo);
}

/** Inserts only the row of an operator that a link requires. */
export function givenOperator(
  { app }: TestApp,
  codigo: string,
  codigoPais: string,
  situacao: 'ATIVADO' | 'DESATIVADO' = 'ATIVADO',
  cpfCnpjRaiz = COMPANY,
): void {
  app.core.db
    .prepare(
      `INSERT INTO foreign_operator (company_id, codigo, numero, codigo_pais, registered_at, changed_at, family,
         rectification, starts_on, made_at, made_by, situacao, nome_folded, nome, logradouro, nome_cidade,
         identificacoes_adicionais)
       SELECT id, ?, 0, ?, ?, ?, 1, 0, '2026-01-15', ?, 'sistema', ?, 'acme', 'Acme', 'Main Street 1', 'Springfield', '[]'
       FROM company WHERE cpf_cnpj_raiz = ?`,
    )
    .run(codigo, codigoPais, START, START, START, situacao, cpfCnpjRaiz);
}

export const linkTo = (codigoProduto: number, codigoPais: string, codigoOperadorEstrangeiro: string) => ({
  codigoProduto,
  conhecido: true,
  codigoPais,
  codigoOperadorEstrangeiro,
});

export const knownInBrazil = (codigoProduto: number, cpfCnpjFabricante = '12345678000195') => ({
  codigoProduto,
  conhecido: true,
  codigoPais: 'BR',
  cpfCnpjFabricante,
});

export const unknownIn = (codigoProduto: number, codigoPais: string) => ({
  codigoProduto,
  conhecido: false,
  codigoPais,
});

/** Returns the bodies of the published events of links, oldest first. */
export const linkEvents = ({ app }: TestApp): readonly Record<string, unknown>[] =>
  app.core.db
    .prepare<[], string>("SELECT conteudo FROM event WHERE evento = 'catp-vinc-alterado' ORDER BY id")
    .pluck()
    .all()
    .map((conteudo) => JSON.parse(conteudo) as Record<string, unknown>);

/** Returns each problem of an answer as its code and its path. */
export const problemsOf = (reply: Reply): readonly string[] =>
  reply.json.detail.map(({ code, path }: { code: string; path: string | null }) => `${code} ${path}`);
