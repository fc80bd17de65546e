/** Builds the form that sends an operation, from its entry in the API document. */
import type { ExampleSource, Trial, TrialBody, TrialParameter } from '../../docs/trial.ts';
import { exampleOf, sampleOf, type Document, type ListedOperation, type Parameter } from './document.ts';

export function trialOf(document: Document, entry: ListedOperation): Trial {
  const { method, path, secured, parameters } = entry;
  return {
    method,
    path,
    isSecured: secured,
    parameters: parameters.map(parameterOf),
    body: bodyOf(entry),
    source: sourceOf(document, entry),
  };
}

function parameterOf({ name, in: place, required, description, schema = {} }: Parameter): TrialParameter {
  const options = schema.type === 'boolean' ? [true, false] : schema.enum;
  const sample = sampleOf(schema);
  return {
    name,
    in: place,
    isRequired: required ?? false,
    description: description ?? '',
    options: options?.map(String),
    example: typeof sample === 'string' ? sample : (JSON.stringify(sample) ?? name),
  };
}

function bodyOf({ body }: ListedOperation): TrialBody {
  const content = body?.content ?? {};
  const [type] = Object.keys(content);
  const form = content['multipart/form-data'];
  const json = content['application/json'];
  // When both types are accepted, JSON requires the result of an earlier form request.
  if (form !== undefined) {
    const { file: _, ...parts } = (exampleOf(form) ?? {}) as Readonly<Record<string, unknown>>;
    return {
      kind: 'form',
      parts: Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, String(value)])),
    };
  }
  if (json !== undefined)
    return { kind: 'json', example: exampleOf(json), members: Object.keys(json.schema?.properties ?? {}) };
  return type === undefined ? { kind: 'none' } : { kind: 'file', type };
}

const PRODUCT: ExampleSource = {
  path: '/appliance/api/products',
  isOfCompany: true,
  members: { codigo: 'codigo', versao: 'versao', codigoProduto: 'codigo' },
};
const OPERATOR: ExampleSource = {
  path: '/appliance/api/foreign-operators',
  isOfCompany: true,
  members: { codigo: 'codigo', versao: 'versao', codigoPais: 'codigoPais' },
};
const NCM: ExampleSource = {
  path: '/appliance/api/ncms',
  isOfCompany: false,
  members: { codigoNcm: 'ncm', ncm: 'ncm' },
};

/** Returns the source of an operation's example, or `undefined` when any value works. */
function sourceOf(document: Document, { path, body }: ListedOperation): ExampleSource | undefined {
  const has = (name: string): boolean => path.includes(`{${name}}`);
  if (has('codigoNcm') || has('ncm')) return NCM;
  if (has('codigo')) return /operador|operators/.test(path) ? OPERATOR : PRODUCT;
  if (has('id')) {
    const list = path.slice(0, path.indexOf('/{id}'));
    const isList = document.paths[list]?.['get'] !== undefined;
    return isList ? { path: list, isOfCompany: false, members: { id: 'id' } } : undefined;
  }
  return JSON.stringify(body?.content?.['application/json']?.example ?? '').includes('"codigoProduto"')
    ? PRODUCT
    : undefined;
}
