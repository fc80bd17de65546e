/** Builds a request of an operation from the form values. */
import { exampleOf, sampleOf, type ListedOperation, type Parameter, type Schema } from './openapi.ts';

export interface TryValues {
  /** Values by the keys of `keyOf`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** JSON as typed; '' when the operation has no body. */
  readonly body: string;
  /** Members of a form with a file, except the file. */
  readonly parts: Readonly<Record<string, string>>;
}

export interface ReadyRequest {
  readonly method: string;
  /** Path and query. */
  readonly address: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly secured: boolean;
  readonly body: RequestBody;
}

export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'form'; readonly parts: Readonly<Record<string, string>>; readonly file: string }
  | { readonly kind: 'file'; readonly type: string };

/** Values of existing records: the selected company and a record of it. */
export type Known = Readonly<Record<string, string>>;

export const keyOf = ({ in: place, name }: Parameter): string => `${place} ${name}`;

export function bodyKindOf({ body }: ListedOperation): RequestBody['kind'] {
  const types = Object.keys(body?.content ?? {});
  if (types.length === 0) return 'none';
  // When both types are accepted, JSON requires the result of an earlier form request.
  if (types.includes('multipart/form-data')) return 'form';
  return types.includes('application/json') ? 'json' : 'file';
}

/** Returns values that work when they are sent unchanged: required ones, filled with known values. */
export function initialValues(
  entry: ListedOperation,
  known: Known,
  record?: Readonly<Record<string, unknown>>,
): TryValues {
  const parameters = entry.parameters.map((parameter) => {
    const value = parameter.required === true ? valueOf(parameter, known) : '';
    return [keyOf(parameter), value] as const;
  });
  const { content = {} } = entry.body ?? {};
  const json = content['application/json'];
  const form = content['multipart/form-data'];
  if (form !== undefined) {
    const { file: _, ...parts } = (exampleOf(form) ?? {}) as Readonly<Record<string, unknown>>;
    return {
      parameters: Object.fromEntries(parameters),
      body: JSON.stringify(
        [FILE_ITEM].map((item) => withKnown(item, known)),
        null,
        2,
      ),
      parts: Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, String(value)])),
    };
  }
  const own = json?.schema && record && membersOf(json.schema, record);
  const example = json === undefined ? undefined : (own ?? withKnown(exampleOf(json), known));
  return {
    parameters: Object.fromEntries(parameters),
    body: example === undefined ? '' : JSON.stringify(example, null, 2),
    parts: {},
  };
}

/** Item of a product file to import. */
const FILE_ITEM = {
  seq: 1,
  cpfCnpjRaiz: '12345678',
  denominacao: 'Caixa plástica',
  modalidade: 'IMPORTACAO',
  ncm: '39269090',
};

/** Returns the members of the record that the form accepts. */
function membersOf({ properties }: Schema, record: Readonly<Record<string, unknown>>): object | undefined {
  if (properties === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(record).filter(([name, value]) => Object.hasOwn(properties, name) && value !== null),
  );
}

function valueOf({ name, schema }: Parameter, known: Known): string {
  const own = known[name];
  if (own !== undefined) return own;
  const sample = schema && sampleOf(schema);
  return typeof sample === 'string' ? sample : sample === undefined ? name : JSON.stringify(sample);
}

/** Replaces members by known values of the same name. A number stays a number. */
function withKnown(value: unknown, known: Known): unknown {
  if (Array.isArray(value)) return value.map((one) => withKnown(one, known));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => {
      const own = known[name];
      if (own === undefined || typeof held === 'object') return [name, withKnown(held, known)];
      return [name, typeof held === 'number' ? Number(own) : own];
    }),
  );
}

export function requestOf(entry: ListedOperation, { parameters, body, parts }: TryValues): ReadyRequest {
  const filledParameters = (place: Parameter['in']) =>
    entry.parameters
      .filter((parameter) => parameter.in === place)
      .map((parameter) => [parameter.name, parameters[keyOf(parameter)] ?? ''] as const)
      .filter(([, value]) => value !== '');
  const inPath = new Map(filledParameters('path'));
  const path = entry.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
    encodeURIComponent(inPath.get(name) ?? ''),
  );
  const query = filledParameters('query').map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return {
    method: entry.method,
    address: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: filledParameters('header'),
    secured: entry.secured,
    body: bodyOf(entry, body, parts),
  };
}

function bodyOf(entry: ListedOperation, text: string, parts: TryValues['parts']): RequestBody {
  const kind = bodyKindOf(entry);
  switch (kind) {
    case 'json':
      return text.trim() === '' ? { kind: 'none' } : { kind, text };
    case 'form':
      return { kind, parts, file: text };
    case 'file':
      return { kind, type: Object.keys(entry.body?.content ?? {})[0] ?? '' };
    default:
      return { kind };
  }
}
