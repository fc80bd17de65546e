/** Every parameter of the public interface is read (contract section 8: read, never ignored). */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, openApp } from '../support/app.ts';
import type { Document, Documented } from './document.ts';

let server: TestApp;
let document: Document;
beforeAll(async () => {
  server = await openApp({});
  document = (await server.anybody.call('GET', '/openapi.json')).json;
});
afterAll(() => server.close());

const PRODUCT =
  'codigo codigoInterno descricao denominacao ncm periodoRegistroInicio periodoRegistroFim ultimaAlteracaoInicio ultimaAlteracaoFim situacao paisOrigem cpfCnpjFabricante cpfCnpjRaiz modalidade dataReferencia operadorEstrangeiroCodigo';
const OPERATOR = 'cpfCnpjRaiz tin codigo codigoInterno nome paisOrigem exibirDesativados';
const CATP = '/catp/api/ext';
const CADA = '/cadatributos/api';

/** The operations of the public service, each with its parameters: of the path, then of the query. */
const PUBLIC: Readonly<Record<string, string>> = {
  [`GET ${CATP}/produto`]: PRODUCT,
  [`POST ${CATP}/produto`]: '',
  [`POST ${CATP}/produto/{cpfCnpjRaiz}`]: 'cpfCnpjRaiz',
  [`PUT ${CATP}/produto/{cpfCnpjRaiz}/{codigo}`]: 'cpfCnpjRaiz codigo',
  [`GET ${CATP}/produto/{cpfCnpjRaiz}/{codigo}/{versao}`]: 'cpfCnpjRaiz codigo versao',
  [`POST ${CATP}/produto/{cpfCnpjRaiz}/{dataReferencia}`]: 'cpfCnpjRaiz dataReferencia',
  [`PUT ${CATP}/produto/{cpfCnpjRaiz}/{codigo}/{versao}`]: 'cpfCnpjRaiz codigo versao',
  [`POST ${CATP}/regime-especial`]: '',
  [`PUT ${CATP}/produto/desativar/{cpfCnpjRaiz}/{codigo}`]: 'cpfCnpjRaiz codigo',
  [`GET ${CATP}/produto/exportar/{cpfCnpjRaiz}/{exibirDesativados}`]: 'cpfCnpjRaiz exibirDesativados',
  [`GET ${CATP}/operador-estrangeiro`]: OPERATOR,
  [`POST ${CATP}/operador-estrangeiro`]: '',
  [`POST ${CATP}/operador-estrangeiro/{cpfCnpjRaiz}/{codigoPais}`]: 'cpfCnpjRaiz codigoPais',
  [`PUT ${CATP}/operador-estrangeiro/{cpfCnpjRaiz}/{codigoPais}/{codigo}`]: 'cpfCnpjRaiz codigoPais codigo',
  [`POST ${CATP}/operador-estrangeiro/{cpfCnpjRaiz}/{codigoPais}/{codigo}/{dataReferencia}`]:
    'cpfCnpjRaiz codigoPais codigo dataReferencia',
  [`GET ${CATP}/operador-estrangeiro/{cpfCnpjRaiz}/{codigoPais}/{codigo}/{versao}`]:
    'cpfCnpjRaiz codigoPais codigo versao',
  [`PUT ${CATP}/operador-estrangeiro/{cpfCnpjRaiz}/{codigoPais}/{codigo}/{versao}`]:
    'cpfCnpjRaiz codigoPais codigo versao',
  [`PUT ${CATP}/operador-estrangeiro/desativar/{cpfCnpjRaiz}/{codigoPais}/{codigo}/{versao}`]:
    'cpfCnpjRaiz codigoPais codigo versao',
  [`GET ${CATP}/operador-estrangeiro/exportar/{cpfCnpjRaiz}/{exibirDesativados}`]:
    'cpfCnpjRaiz exibirDesativados',
  [`POST ${CATP}/fabricante`]: '',
  [`POST ${CATP}/fabricante/{cpfCnpjRaiz}`]: 'cpfCnpjRaiz',
  [`PUT ${CATP}/fabricante/{cpfCnpjRaiz}`]: 'cpfCnpjRaiz',
  [`GET ${CATP}/fabricante/exportar/{cpfCnpjRaiz}`]: 'cpfCnpjRaiz',
  'GET /portal/api/ext/webhook': 'exibirInativos',
  'POST /portal/api/ext/webhook': '',
  'PUT /portal/api/ext/webhook/{id}': 'id',
  'DELETE /portal/api/ext/webhook/{id}': 'id',
  'GET /portal/api/ext/webhook/falhas': 'data',
  'POST /portal/api/autenticar': 'Role-Type X-Sessao',
  'POST /portal/api/autenticar/chave-acesso': 'Client-Id Client-Secret Role-Type X-Sessao',
  [`GET ${CADA}/atributo-ncm/download/{tipo}`]: 'tipo perfil',
  [`GET ${CADA}/atributo/download/{tipo}`]: 'tipo perfil',
  [`GET ${CADA}/ext/atributo-ncm/{codigoNcm}`]: 'codigoNcm modalidade data objetivos orgaosDemandantes',
  [`GET ${CADA}/ext/atributo-ncm/download/{tipo}`]:
    'tipo modalidade data objetivos orgaosDemandantes codigosNCM',
  [`GET ${CADA}/ext/atributo-ncm/historico-versoes`]: 'versao',
  [`GET ${CADA}/ext/atributo/download/{tipo}`]: 'tipo data objetivos orgaosDemandantes',
  [`GET ${CADA}/ext/atributo/historico-versoes`]: 'versao',
  [`POST ${CADA}/ext/atributo/consulta-codigo`]: '',
  [`POST ${CADA}/ext/atributo/consulta-nome`]: '',
};

/** Operations of these paths that the public interface lacks. */
const OURS: ReadonlySet<string> = new Set(['GET /portal/api/autenticar']);

const documented = () =>
  Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]): [string, Documented] => [
        `${method.toUpperCase()} ${path}`,
        one,
      ]),
    )
    .filter(([name]) => /^[A-Z]+ \/(?:catp|portal|cadatributos)\//.test(name) && !OURS.has(name));

test('every operation under the public paths is in the table', () => {
  const names = documented().map(([name]) => name);
  expect(names.filter((name) => !(name in PUBLIC))).toEqual([]);
  expect(Object.keys(PUBLIC).filter((name) => !names.includes(name))).toEqual([]);
});

test.each(Object.entries(PUBLIC))('%s reads %p', (name, parameters) => {
  const [, operation] = documented().find(([one]) => one === name) ?? [];
  const names = operation?.parameters.map((parameter) => parameter.name) ?? [];
  expect(names.toSorted()).toEqual(parameters.split(' ').filter(Boolean).toSorted());
});

test('a repeatable parameter is documented as a list', () => {
  const ofFile = documented().find(([name]) => name.endsWith('/ext/atributo-ncm/download/{tipo}'))?.[1];
  const lists = ofFile?.parameters.filter(({ schema }) => schema.type === 'array').map(({ name }) => name);
  expect(lists).toEqual(['objetivos', 'orgaosDemandantes', 'codigosNCM']);
});
