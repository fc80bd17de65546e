/** Turns the API document into requests in folders, for Postman and Bruno. */

/** The variables that the user sets once for all requests. */
export const VARIABLES = {
  baseUrl: 'O endereço do servidor, sem barra no fim.',
  clientId: 'O Client-Id de uma chave de acesso.',
  clientSecret: 'O Client-Secret dessa chave.',
  roleType: 'O perfil em que se entra (Role-Type).',
  empresa: 'A raiz do CPF ou CNPJ da empresa (cpfCnpjRaiz).',
} as const;
export type Variable = keyof typeof VARIABLES;
export type Values = Readonly<Record<Variable, string>>;

export interface Collection {
  readonly name: string;
  readonly about: string;
  readonly values: Values;
  /** Folders in the order and with the names of the document's sections. */
  readonly folders: readonly Folder[];
}

export interface Folder {
  readonly name: string;
  readonly about: string;
  readonly requests: readonly SavedRequest[];
}

export interface SavedRequest {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly method: string;
  /** The path as in the document: `/produto/{codigo}`. */
  readonly path: string;
  /** True if the request sends the session tokens. */
  readonly isSigned: boolean;
  readonly pathValues: readonly Field[];
  readonly query: readonly Field[];
  readonly headers: readonly Field[];
  readonly body: Body | undefined;
}

export interface Field {
  readonly name: string;
  readonly value: string;
  readonly about: string;
  /** False for an optional parameter, which the user can enable. */
  readonly isSent: boolean;
}

/** JSON text, or the fields of a form. The user chooses the file of a file field. */
export type Body =
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'form'; readonly fields: readonly (Field & { readonly isFile: boolean })[] };

/** The part of the document that this file reads. */
export interface ReadDocument {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ReadOperation>>>>;
}

interface ReadOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly unknown[];
  readonly parameters: readonly ReadParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
}

interface ReadParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: { readonly examples?: readonly unknown[]; readonly enum?: readonly unknown[] };
}

/** The variable that replaces the document's example of a parameter or member. */
const STANDS_FOR: Readonly<Record<string, Variable>> = {
  'Client-Id': 'clientId',
  'Client-Secret': 'clientSecret',
  'Role-Type': 'roleType',
  cpfCnpjRaiz: 'empresa',
};

/**
 * The section whose examples stay unchanged: they create companies and users, not the company of the
 * collection.
 */
const ADMINISTRATION = 'Administração';

export function collectionOf(document: ReadDocument, values: Values): Collection {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return {
    name: document.info.title,
    about: document.info.description,
    values,
    folders: document.tags.map(({ name, description }) => ({
      name,
      about: description,
      requests: operations
        .filter(({ operation }) => operation.tags[0] === name)
        .map(({ path, method, operation }) => requestOf(path, method.toUpperCase(), operation)),
    })),
  };
}

function requestOf(path: string, method: string, operation: ReadOperation): SavedRequest {
  const { operationId, summary, description, parameters, security } = operation;
  const fieldsIn = (place: ReadParameter['in']): readonly Field[] =>
    parameters.filter((one) => one.in === place).map(fieldOf);
  return {
    id: operationId,
    name: summary,
    about: description,
    method,
    path,
    isSigned: security.length > 0,
    pathValues: fieldsIn('path'),
    query: fieldsIn('query'),
    headers: fieldsIn('header'),
    body: bodyOf(operation),
  };
}

function fieldOf({ name, required, description = '', schema }: ReadParameter): Field {
  const example = schema.examples?.[0] ?? schema.enum?.[0] ?? '';
  const variable = STANDS_FOR[name];
  const value = variable === undefined ? textOf(example) : reference(variable);
  return { name, value, about: description, isSent: required };
}

function bodyOf({ requestBody, tags }: ReadOperation): Body | undefined {
  const [[type, { example }] = ['', { example: undefined }]] = Object.entries(requestBody?.content ?? {});
  if (example === undefined) return undefined;
  if (type === 'multipart/form-data')
    return {
      kind: 'form',
      fields: Object.entries(example as object).map(([name, value]) => ({
        name,
        value: textOf(value),
        about: '',
        isSent: true,
        isFile: name === 'file',
      })),
    };
  const own = tags[0] === ADMINISTRATION ? example : withVariables(example);
  return { kind: 'json', text: JSON.stringify(own, undefined, 2) };
}

function withVariables(example: unknown): unknown {
  if (Array.isArray(example)) return example.map(withVariables);
  if (typeof example !== 'object' || example === null) return example;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      const variable = STANDS_FOR[name];
      return [name, variable === undefined ? withVariables(value) : reference(variable)];
    }),
  );
}

/** Formats a reference to a variable, in the syntax of Postman and Bruno. */
const reference = (name: string): string => `{{${name}}}`;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
