/** `/openapi.json`: every operation as it is, printed from the schemas that validate it. */
import type { TSchema } from '@sinclair/typebox';
import type { Operation } from './operation.ts';
import { sampleOf } from './sample.ts';

export interface DocumentParts {
  readonly operations: readonly Operation<never>[];
  readonly version: string;
  readonly description: string;
}

type Json = Readonly<Record<string, unknown>>;

/** The document, OpenAPI 3.1. */
export function openApiDocument({ operations, version, description }: DocumentParts): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[operation.method.toLowerCase()] = documented(operation);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'catp: Catálogo de Produtos', version, description },
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: { securitySchemes: SECURITY, schemas: { Error: ERROR }, headers: HEADERS },
  };
}

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

const HEADERS = {
  'X-CSRF-Token': { description: 'Token renovado, para a próxima requisição.', schema: { type: 'string' } },
  'X-CSRF-Expiration': {
    description: 'Fim de sua validade, em milissegundos desde 1970.',
    schema: { type: 'string' },
  },
};

const PROBLEM = {
  type: 'object',
  required: ['message', 'code', 'field', 'path'],
  properties: {
    message: { type: 'string' },
    code: { type: 'string' },
    field: { type: ['string', 'null'] },
    path: {
      type: ['string', 'null'],
      description: 'Ponteiro RFC 6901 no corpo, ou nome do cabeçalho ou parâmetro.',
    },
  },
};

const ERROR = {
  type: 'object',
  required: ['message', 'code', 'field', 'path', 'tag', 'date', 'status', 'severity', 'detail', 'info'],
  properties: {
    ...PROBLEM.properties,
    tag: { type: 'string', examples: ['[CATP-K3J9X2M4QA]'] },
    date: {
      type: 'string',
      description: 'Horário de Brasília, sem fuso.',
      examples: ['2026-11-20T10:31:07'],
    },
    status: { type: 'integer' },
    severity: { type: 'string', enum: ['ERROR'] },
    detail: { type: 'array', items: PROBLEM, description: 'Todos os problemas encontrados.' },
    info: {
      type: 'object',
      properties: {
        mnemonico: { type: 'string' },
        ambiente: { type: 'string' },
        url: { type: 'string' },
        trackerId: { type: 'string' },
      },
    },
  },
};

function documented(operation: Operation<never>): Json {
  const isPublic = operation.access === 'anybody';
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: [operation.description, `Fonte: ${operation.source}.`]
      .filter((text) => text !== undefined)
      .join('\n\n'),
    ...(operation.deprecated && { deprecated: true }),
    ...(!isPublic && { security: [{ jwt: [], csrf: [] }] }),
    parameters: [
      ...parametersOf(operation.params, 'path'),
      ...parametersOf(operation.query, 'query'),
      ...operation.headers.map((name) => ({
        name,
        in: 'header',
        required: true,
        schema: { type: 'string' },
      })),
    ],
    ...requestBodyOf(operation),
    responses: responsesOf(operation, isPublic),
  };
}

function parametersOf(schema: TSchema | undefined, place: 'path' | 'query'): Json[] {
  if (schema === undefined) return [];
  const properties = schema['properties'] as Record<string, TSchema>;
  const required = (schema['required'] as string[] | undefined) ?? [];
  return Object.entries(properties).map(([name, member]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(typeof member.description === 'string' && { description: member.description }),
    schema: plain(member),
  }));
}

function requestBodyOf(operation: Operation<never>): Json {
  if (operation.bodyForm === 'raw') {
    const content = Object.fromEntries(
      operation.accepts.map((type) => [type, { schema: rawSchema(operation, type) }]),
    );
    return { requestBody: { required: true, content } };
  }
  if (operation.body === undefined) return {};
  const example = operation.example ?? sampleOf(operation.body);
  return {
    requestBody: {
      required: operation.bodyForm === 'json',
      content: { 'application/json': { schema: plain(operation.body), example } },
    },
  };
}

function rawSchema(operation: Operation<never>, type: string): Json {
  return type === 'multipart/form-data' && operation.body !== undefined
    ? plain(operation.body)
    : { type: 'string', format: 'binary' };
}

function responsesOf(operation: Operation<never>, isPublic: boolean): Json {
  const renewed = isPublic ? {} : { headers: refsTo(HEADERS) };
  const responses: Record<string, Json> = {};
  if (
    operation.success !== undefined ||
    operation.otherSuccess.length === 0 ||
    operation.produces !== JSON_CONTENT
  )
    responses[String(operation.successStatus)] = {
      description: 'Operação realizada.',
      ...renewed,
      ...contentOf(operation),
    };
  for (const status of operation.otherSuccess)
    responses[String(status)] = { description: 'Operação realizada; sem conteúdo.', ...renewed };
  for (const [status, description] of Object.entries(refusalsOf(operation, isPublic)))
    responses[status] = {
      description,
      content: { [JSON_CONTENT]: { schema: { $ref: '#/components/schemas/Error' } } },
    };
  return responses;
}

const JSON_CONTENT = 'application/json';

function contentOf(operation: Operation<never>): Json {
  if (operation.produces !== JSON_CONTENT)
    return { content: { [operation.produces]: { schema: { type: 'string', format: 'binary' } } } };
  if (operation.success === undefined) return {};
  return {
    content: { [JSON_CONTENT]: { schema: plain(operation.success), example: sampleOf(operation.success) } },
  };
}

function refusalsOf(operation: Operation<never>, isPublic: boolean): Record<string, string> {
  const takesInput = (operation.params ?? operation.query ?? operation.body) !== undefined;
  const takesBody = operation.bodyForm !== 'ignored';
  return {
    ...(takesInput && { 400: 'Requisição malformada.' }),
    ...(!isPublic && { 401: 'Usuário não autenticado, ou autenticação inválida.' }),
    ...((!isPublic || operation.id.startsWith('authenticate')) && {
      403: 'Usuário sem permissão para o recurso.',
    }),
    404: 'Recurso não encontrado.',
    ...(takesBody && { 413: 'Corpo maior que o limite.', 415: 'Tipo de conteúdo não aceito.' }),
    422: 'Erros de validação da camada de negócio.',
    500: 'Erro interno do servidor.',
    503: 'Gravações suspensas ou serviço em encerramento.',
  };
}

const refsTo = (headers: Json): Json =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** A schema without what only our decoder reads. */
function plain(schema: unknown): Json {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key.startsWith('x-') && key !== 'x-domain' ? undefined : value,
    ),
  ) as Json;
}
