/** Opens a server for each test, and has helpers for requests about operators. */
import { afterEach, beforeEach, expect } from 'bun:test';
import { DAY_MS } from '../../../src/clock.ts';
import { type Client, type Reply, START, type TestApp, openApp } from '../../support/app.ts';
import { keepEvents } from '../../support/subscribed.ts';

export const PATH = '/catp/api/ext/operador-estrangeiro';
export const COMPANY = '12345678';
export const OTHER_COMPANY = '87654321';
/** First day of the test clock. */
export const TODAY = '2026-01-15';

/** Smallest accepted request. */
export const MINIMAL = { nome: 'Muster GmbH', logradouro: 'Hauptstrasse 1', nomeCidade: 'München' };

/** Every member of the request form. */
export const WHOLE = {
  tin: 'DE123456789',
  nome: 'Müller & Söhne',
  logradouro: 'Hauptstrasse 1',
  nomeCidade: 'München',
  codigoSubdivisaoPais: 'DE-BY',
  cep: '80331',
  codigoInterno: 'FORN-17',
  email: 'vendas@muster.example',
  identificacoesAdicionais: [{ numero: '123456789', codigo: '16' }],
};

export interface Operators {
  readonly server: TestApp;
  /** Represents both companies. */
  readonly demo: Client;
}

/** Opens a server before each test of the file and closes it after. */
export function operatorsForEachTest(options: Parameters<typeof openApp>[0] = {}): () => Operators {
  let operators: Operators | undefined;
  beforeEach(async () => {
    const server = await openApp(options);
    await keepEvents(server, 'catp-oper-alterado');
    operators = { server, demo: await server.as('demo') };
  });
  afterEach(async () => {
    await operators?.server.close();
  });
  return () => {
    if (operators === undefined) throw new Error('The server is open only inside a test.');
    return operators;
  };
}

/** Includes an operator of DE in COMPANY, and returns its record. */
export async function include(demo: Client, content: object = MINIMAL, codigoPais = 'DE') {
  const reply = await demo.call('POST', `${PATH}/${COMPANY}/${codigoPais}`, content);
  expect([reply.status, reply.text]).toEqual([200, reply.text]);
  return reply.json;
}

/** Moves the clock to a later day, and signs in again since tokens are short-lived. */
export async function laterDay({ server }: Operators, days: number): Promise<Client> {
  server.clock.moveTo(START + days * DAY_MS);
  return server.as('demo');
}

/** Returns the codes of the violated rules or malformed members. */
export const codesOf = (reply: Reply): string[] =>
  reply.json.detail.map(({ code }: { code: string }) => code);

export const fieldsOf = (reply: Reply): string[] =>
  reply.json.detail.map(({ field }: { field: string }) => field);

/** Returns the bodies of the published events of operators, oldest first. */
export const eventsOf = ({ app }: TestApp): unknown[] =>
  app.core.db
    .prepare<[], string>("SELECT conteudo FROM event WHERE evento = 'catp-oper-alterado' ORDER BY id")
    .pluck()
    .all()
    .map((conteudo) => JSON.parse(conteudo) as unknown);

export const operacoesOf = (server: TestApp): unknown[] =>
  eventsOf(server).map((event) => (event as { operacao: string }).operacao);

/** Reads the first days of the versions of an operator, in the order of their numbers. */
export const startsOf = ({ app }: TestApp, codigo: string): string[] =>
  app.core.db
    .prepare<[string, string], string>(
      `SELECT starts_on FROM (
         SELECT o.starts_on, o.family, o.rectification FROM foreign_operator o WHERE o.codigo = ?
         UNION ALL SELECT v.starts_on, v.family, v.rectification
           FROM foreign_operator o JOIN foreign_operator_version v ON v.record_id = o.id WHERE o.codigo = ?)
       ORDER BY family, rectification`,
    )
    .pluck()
    .all(codigo, codigo);
