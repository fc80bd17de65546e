/** Prints `/openapi.json`: every operation, from the schemas that validate it. */
import type { TSchema } from '@sinclair/typebox';
import { DetailedErrorBody, ErrorBody, ShortErrorBody } from './error-forms.ts';
import { Forms, type Json } from './forms.ts';
import type { Operation } from './operation.ts';
import { sampleOf } from './sample.ts';
import { sourceText } from './source-text.ts';
import { type Callback, callbacksOf } from './callbacks.ts';
import { t } from '../validation/type.ts';

export interface DocumentParts {
  readonly operations: readonly Operation<never>[];
  readonly version: string;
  readonly description: string;
  /** Every code of a problem with its cause and its remedy, one list after the other. */
  readonly problems?: readonly Json[];
  /** The requests that the server sends later to addresses in the bodies of some operations. */
  readonly callbacks: readonly Callback[];
}

/** Builds the document, OpenAPI 3.1. */
export function openApiDocument({
  operations,
  version,
  description,
  problems = [],
  callbacks,
}: DocumentParts): Json {
  const forms = new Forms();
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[operation.method.toLowerCase()] = documented(operation, callbacks, forms);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'catp: Catálogo de Produtos', version, description: `${description}\n\n${READING}` },
    tags: tagsOf(operations),
    'x-problems': problems,
    paths,
    components: { securitySchemes: SECURITY, schemas: forms.components(), headers: HEADERS },
  };
}

/** Rules that no schema can express (contract sections 3 and 4). */
const READING = [
  'Em um corpo, um membro opcional pode faltar ou ser null; um texto opcional também pode ser "": tudo isso quer dizer ausente.',
  'Um membro inteiro também aceita os seus dígitos como texto ("12").',
  'Um membro desconhecido é recusado com 400; um parâmetro de consulta desconhecido é ignorado.',
  'Tamanhos de textos são contados em pontos de código Unicode; o caractere NUL e substitutos Unicode isolados são recusados.',
  'Datas são dias de Brasília.',
].join('\n');

/** Lists the tags in the order of their first operation. Each names the sources of its operations. */
const tagsOf = (operations: readonly Operation<never>[]): Json[] =>
  [...Map.groupBy(operations, ({ tag }) => tag)].map(([name, ofTag]) => ({
    name,
    description: sourceText(name, ofTag),
  }));

const SECURITY = {
  jwt: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'O valor de Set-Token da autenticação.',
  },
  csrf: {
    type: 'apiKey',
    in: 'header',
    name: 'X-CSRF-Token',
    description: 'O último X-CSRF-Token recebido.',
  },
};

const header = (description: string, schema: Json = {}): Json => ({
  description,
  schema: { type: 'string', ...schema },
});

const HEADERS = {
  'Set-Token': header('O JWT da sessão: o valor de Authorization nas próximas requisições.'),
  'X-CSRF-Token': header('Token renovado, para a próxima requisição.'),
  'X-CSRF-Expiration': header('Fim de sua validade, em milissegundos desde 1970.', { pattern: '^[0-9]+$' }),
  'Content-Disposition': header('O nome do arquivo: attachment; filename="NOME".'),
  Deprecation: header('A operação foi descontinuada.'),
  Sunset: header('Quando a operação deixa de existir.'),
  'Retry-After': header('Segundos a esperar antes da próxima tentativa.', { pattern: '^[0-9]+$' }),
  'Catp-Epoch': header('A época da instância: 1, e uma mais a cada catp takeover.', {
    pattern: '^[1-9][0-9]*$',
  }),
  'Catp-Epoch-Since': header('Quando ela começou; ausente na primeira.'),
} as const;
type HeaderName = keyof typeof HEADERS;

const READINESS = '/readyz';
/** Headers of every answer. */
const EPOCH = ['Catp-Epoch', 'Catp-Epoch-Since'] as const;

const RENEWED = ['X-CSRF-Token', 'X-CSRF-Expiration'] as const;

function documented(operation: Operation<never>, callbacks: readonly Callback[], forms: Forms): Json {
  const isPublic = operation.access === 'anybody';
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: [
      operation.description ?? `${operation.summary}.`,
      sourceText(operation.tag, [operation]),
    ].join('\n\n'),
    ...(operation.deprecated && { deprecated: true }),
    security: isPublic ? [] : [{ jwt: [], csrf: [] }],
    parameters: [
      ...parametersOf(operation.params, 'path', forms),
      ...parametersOf(operation.query, 'query', forms),
      ...parametersOf(t.Object({ ...operation.headers }), 'header', forms),
    ],
    ...requestBodyOf(operation, forms),
    responses: responsesOf(operation, isPublic, forms),
    ...(operation.callbacksTo !== undefined && {
      callbacks: callbacksOf(callbacks, operation.callbacksTo, forms),
    }),
  };
}

function parametersOf(schema: TSchema | undefined, place: 'path' | 'query' | 'header', forms: Forms): Json[] {
  if (schema === undefined) return [];
  const properties = schema['properties'] as Record<string, TSchema>;
  const required = (schema['required'] as string[] | undefined) ?? [];
  return Object.entries(properties).map(([name, member]) =>
    parameterOf(name, place, place === 'path' || required.includes(name), member, forms),
  );
}

function parameterOf(
  name: string,
  place: 'path' | 'query' | 'header',
  required: boolean,
  member: TSchema,
  forms: Forms,
): Json {
  const { description, ...schema } = forms.printed(member, 'answered');
  return { name, in: place, required, ...(description !== undefined && { description }), schema };
}

function requestBodyOf(operation: Operation<never>, forms: Forms): Json {
  const { body, bodyForm, accepts } = operation;
  if (bodyForm === 'raw') {
    // A GET that tolerates a body, as older clients send it, does not advertise it.
    if (accepts.length === 0) return {};
    const content = Object.fromEntries(accepts.map((type) => [type, rawContent(operation, type, forms)]));
    return { requestBody: { required: true, content } };
  }
  if (body === undefined) return {};
  const schema = forms.printed(body, 'sent');
  const example = operation.example ?? sampleOf(body);
  return {
    requestBody: { required: bodyForm === 'json', content: { [JSON_CONTENT]: { schema, example } } },
  };
}

function rawContent({ body, jsonBody, example }: Operation<never>, type: string, forms: Forms): Json {
  if (jsonBody !== undefined && type === JSON_CONTENT)
    return { schema: forms.printed(jsonBody, 'sent'), example: sampleOf(jsonBody) };
  if (body === undefined || type === 'application/zip')
    return { schema: { type: 'string', format: 'binary' } };
  return { schema: forms.printed(body, 'answered'), example: example ?? sampleOf(body) };
}

function responsesOf(operation: Operation<never>, isPublic: boolean, forms: Forms): Json {
  const always: readonly HeaderName[] = [
    ...(isPublic ? [] : RENEWED),
    ...(operation.deprecated ? (['Deprecation', 'Sunset'] as const) : []),
  ];
  const responses: Record<string, Json> = {};
  if (
    operation.success !== undefined ||
    operation.otherSuccess.length === 0 ||
    operation.produces !== JSON_CONTENT
  )
    responses[String(operation.successStatus)] = {
      description: 'Operação realizada.',
      ...headersOf([...always, ...successHeadersOf(operation)]),
      ...contentOf(operation, forms),
    };
  for (const status of operation.otherSuccess)
    responses[String(status)] = {
      description: 'Operação realizada; sem conteúdo.',
      ...headersOf(always),
    };
  const body = operation.path.startsWith('/appliance/') ? DetailedErrorBody : ErrorBody;
  for (const [status, description, { schema = body, header: own = [] } = {}] of refusalsOf(
    operation,
    isPublic,
  ))
    responses[status] = {
      description,
      // A 401 answer has no session to renew.
      ...headersOf([...always.filter((name) => status !== 401 || !isRenewed(name)), ...own]),
      content: { [JSON_CONTENT]: { schema: forms.printed(schema, 'answered') } },
    };
  return responses;
}

const isRenewed = (name: HeaderName): boolean => RENEWED.some((one) => one === name);

const JSON_CONTENT = 'application/json';

function successHeadersOf(operation: Operation<never>): readonly HeaderName[] {
  if (operation.authenticates) return ['Set-Token', ...RENEWED];
  if (operation.renewsSession) return ['Set-Token'];
  if (operation.path === READINESS) return EPOCH;
  return /zip|csv/.test(operation.produces) ? ['Content-Disposition'] : [];
}

function contentOf({ produces, alsoProduces, success }: Operation<never>, forms: Forms): Json {
  const text = { schema: { type: 'string' } };
  // Generators of several languages recognise bytes only by their format (contract section 12).
  const bytes = { schema: { type: 'string', format: 'binary' } };
  const others = Object.fromEntries(
    alsoProduces.map((type) => [type, type.startsWith('text/') ? text : bytes]),
  );
  if (produces !== JSON_CONTENT)
    return { content: { [produces]: produces.startsWith('text/') ? text : bytes, ...others } };
  if (success === undefined) return {};
  const json = { schema: forms.printed(success, 'answered'), example: sampleOf(success) };
  return { content: { [JSON_CONTENT]: json, ...others } };
}

type Refusal = readonly [
  status: number,
  description: string,
  more?: { readonly schema?: TSchema; readonly header?: readonly HeaderName[] },
];

const LATER = { header: ['Retry-After'] } as const;

/** Lists the statuses with which an operation can end (contract section 3). */
function refusalsOf(operation: Operation<never>, isPublic: boolean): readonly Refusal[] {
  const { path, params, query, body, bodyForm, authenticates, mayBeMissing, otherSuccess } = operation;
  const takesInput = (params ?? query ?? body) !== undefined || bodyForm === 'raw';
  const takesBody = bodyForm !== 'ignored';
  const isHealth = isPublic && path.split('/').length === 2;
  const all: (Refusal | false)[] = [
    takesInput && [400, 'Requisição malformada; todos os problemas em detail.'],
    !isPublic && [401, 'Usuário não autenticado, ou autenticação inválida.'],
    (!isPublic || authenticates) && [403, 'Usuário sem permissão para o recurso.'],
    (params !== undefined || mayBeMissing) && [404, 'Recurso não encontrado.'],
    // A redirected client must accept the content type of the target.
    otherSuccess.includes(307) && [406, 'O Accept não admite zip.'],
    path.startsWith('/appliance/api') && [
      421,
      'Só em catp dev: o nome em Host não é desta máquina nem está em servidor.nomes.',
    ],
    takesBody && [408, 'O corpo parou de chegar.'],
    takesBody && [413, 'Corpo maior que o limite.'],
    takesBody && [415, 'Tipo de conteúdo não aceito.'],
    authenticates && [422, 'Autenticação recusada.', { schema: ShortErrorBody }],
    !isPublic && [422, 'Erros de validação da camada de negócio, ou limite de acessos por hora.', LATER],
    // The operation of an invitation, found by its path, is the only one without a token that checks a body.
    isPublic &&
      !authenticates &&
      takesBody &&
      params !== undefined && [422, 'Erros de validação da camada de negócio.'],
    [431, 'Linha e cabeçalhos da requisição maiores que o limite de 64 KiB.'],
    [500, 'Erro interno do servidor; nada da requisição foi gravado.'],
    (!isHealth || path === READINESS) && [
      503,
      'Gravações suspensas, sobrecarga ou serviço em encerramento.',
      path === READINESS ? { header: [...LATER.header, ...EPOCH] } : LATER,
    ],
  ];
  return all.filter((one) => one !== false);
}

const headersOf = (names: readonly HeaderName[]): Json =>
  names.length === 0
    ? {}
    : {
        headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
      };
