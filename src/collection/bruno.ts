/**
 * Writes a collection as the folder of text files that Bruno opens: one file per request, suited to version
 * control.
 */
import { BRUNO_AFTER, BRUNO_BEFORE } from './bruno-scripts.ts';
import { type Body, type Collection, type Field, type SavedRequest, type Values } from './requests.ts';
import { SIGNATURE } from './signature.ts';

/** File contents by path in the folder of the collection. */
export type Files = Readonly<Record<string, string>>;

export function brunoFiles(collection: Collection): Files {
  const files: Record<string, string> = {
    'bruno.json': `${JSON.stringify({ version: '1', name: titleOf(collection.name), type: 'collection', ignore: ['node_modules', '.git'] }, undefined, 2)}\n`,
    'collection.bru': written([
      block('script:pre-request', BRUNO_BEFORE.trim()),
      block('script:post-response', BRUNO_AFTER.trim()),
      block('docs', collection.about),
    ]),
    'environments/catp.bru': environment(collection.values),
  };
  for (const [at, { name, about, requests }] of collection.folders.entries()) {
    const place = placeOf(name);
    files[`${place}/folder.bru`] = written([
      pairs('meta', { name, seq: String(at + 1) }),
      block('docs', about),
    ]);
    for (const [index, request] of requests.entries())
      files[`${place}/${request.id}.bru`] = requestText(request, index + 1);
  }
  return files;
}

/** Writes the environment. Bruno asks the user for a missing secret and never writes it to a file. */
const environment = ({ clientSecret, ...values }: Values): string =>
  clientSecret === ''
    ? written([pairs('vars', values), 'vars:secret [\n  clientSecret\n]'])
    : written([pairs('vars', { ...values, clientSecret })]);

function requestText(request: SavedRequest, seq: number): string {
  const { name, about, method, path, isSigned, body } = request;
  const sent = request.query.filter(({ isSent }) => isSent).map((one) => `${one.name}=${one.value}`);
  const url = `{{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}${sent.length > 0 ? `?${sent.join('&')}` : ''}`;
  const signature = isSigned ? SIGNATURE.map(([key, value]) => `${key}: ${value}`) : [];
  return written([
    pairs('meta', { name: titleOf(name), type: 'http', seq: String(seq) }),
    pairs(method.toLowerCase(), { url, body: kindOf(body), auth: 'none' }),
    list('params:query', request.query.map(lineOf)),
    list('params:path', request.pathValues.map(lineOf)),
    list('headers', [...request.headers.map(lineOf), ...signature]),
    ...(body === undefined ? [] : [bodyText(body)]),
    block('docs', about),
  ]);
}

const kindOf = (body: Body | undefined): string =>
  body === undefined ? 'none' : body.kind === 'json' ? 'json' : 'multipartForm';

const bodyText = (body: Body): string =>
  body.kind === 'json'
    ? block('body:json', body.text)
    : list(
        'body:multipart-form',
        body.fields.map(({ name, value, isFile }) => `${name}: ${isFile ? `@file(${value})` : value}`),
      );

/** Formats a line. `~` disables it. */
const lineOf = ({ name, value, isSent }: Field): string => `${isSent ? '' : '~'}${name}: ${value}`;

const written = (blocks: readonly string[]): string => `${blocks.filter((one) => one !== '').join('\n\n')}\n`;

const pairs = (name: string, values: Readonly<Record<string, string>>): string =>
  list(
    name,
    Object.entries(values).map(([key, value]) => `${key}: ${value}`),
  );

const list = (name: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : block(name, lines.join('\n'));

/** Formats a block. A closing brace at the start of a line ends it, so its content is indented. */
const block = (name: string, text: string): string =>
  `${name} {\n${text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n')}\n}`;

/** Joins a title into one line, as the value of a pair requires. */
const titleOf = (text: string): string => text.replaceAll(/\s+/g, ' ');

/**
 * Returns a folder name that every archiver and file system accepts. Bruno shows the name in `folder.bru`.
 */
const placeOf = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z ]/g, '')
    .replaceAll(' ', '-');
