/** Builds a request of an operation from the form values. */
import type { Trial, TrialParameter } from './trial.ts';

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
export type ExampleValues = Readonly<Record<string, string>>;

export const keyOf = ({ in: place, name }: TrialParameter): string => `${place} ${name}`;

/** Returns values that work when they are sent unchanged: required ones, filled with known values. */
export function initialValues(
  { parameters, body }: Trial,
  exampleValues: ExampleValues,
  record?: Readonly<Record<string, unknown>>,
): TryValues {
  return {
    parameters: Object.fromEntries(
      parameters.map((parameter) => {
        const { name, isRequired, example } = parameter;
        return [keyOf(parameter), isRequired ? (exampleValues[name] ?? example) : ''];
      }),
    ),
    body: formatted(exampleBody()),
    parts: body.kind === 'form' ? body.parts : {},
  };

  function exampleBody(): unknown {
    if (body.kind === 'form') return [withExampleValues(FILE_ITEM, exampleValues)];
    if (body.kind !== 'json') return undefined;
    if (record === undefined) return withExampleValues(body.example, exampleValues);
    const accepted = Object.entries(record).filter(
      ([name, value]) => body.members.includes(name) && value !== null,
    );
    return Object.fromEntries(accepted);
  }
}

const formatted = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2));

/** Item of a product file to import. */
const FILE_ITEM = {
  seq: 1,
  cpfCnpjRaiz: '12345678',
  denominacao: 'Caixa plástica',
  modalidade: 'IMPORTACAO',
  ncm: '39269090',
};

/** Replaces members by known values of the same name. A number stays a number. */
function withExampleValues(value: unknown, exampleValues: ExampleValues): unknown {
  if (Array.isArray(value)) return value.map((item) => withExampleValues(item, exampleValues));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, memberValue]) => {
      const knownValue = exampleValues[name];
      if (knownValue === undefined || typeof memberValue === 'object')
        return [name, withExampleValues(memberValue, exampleValues)];
      return [name, typeof memberValue === 'number' ? Number(knownValue) : knownValue];
    }),
  );
}

export function requestOf(trial: Trial, { parameters, body, parts }: TryValues): ReadyRequest {
  const filledParameters = (place: TrialParameter['in']) =>
    trial.parameters
      .filter((parameter) => parameter.in === place)
      .map((parameter) => [parameter.name, parameters[keyOf(parameter)] ?? ''] as const)
      .filter(([, value]) => value !== '');
  const pathValues = new Map(filledParameters('path'));
  const path = trial.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
    encodeURIComponent(pathValues.get(name) ?? ''),
  );
  const query = filledParameters('query').map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return {
    method: trial.method,
    address: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: filledParameters('header'),
    secured: trial.isSecured,
    body: bodyOf(trial, body, parts),
  };
}

function bodyOf({ body }: Trial, text: string, parts: TryValues['parts']): RequestBody {
  switch (body.kind) {
    case 'json':
      return text.trim() === '' ? { kind: 'none' } : { kind: 'json', text };
    case 'form':
      return { kind: 'form', parts, file: text };
    default:
      return body;
  }
}
