/** Writes a collection in Postman format 2.1, which Insomnia, Hoppscotch and Bruno read too. */
import { POSTMAN_BEFORE, POSTMAN_AFTER } from './postman-scripts.ts';
import { type Body, type Collection, type Field, type SavedRequest, VARIABLES } from './requests.ts';
import { SIGNATURE } from './signature.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

type Json = Readonly<Record<string, unknown>>;

export const postmanText = (collection: Collection): string =>
  `${JSON.stringify(postmanCollection(collection), undefined, 2)}\n`;

function postmanCollection({ name, about, values, folders }: Collection): Json {
  return {
    info: { name, description: about, schema: SCHEMA },
    item: folders.map((folder) => ({
      name: folder.name,
      description: folder.about,
      item: folder.requests.map(itemOf),
    })),
    event: [scriptOf('prerequest', POSTMAN_BEFORE), scriptOf('test', POSTMAN_AFTER)],
    variable: Object.entries(VARIABLES).map(([key, description]) => ({
      key,
      value: values[key as keyof typeof values],
      type: 'string',
      description,
    })),
  };
}

const scriptOf = (listen: string, text: string): Json => ({
  listen,
  script: { type: 'text/javascript', exec: text.trim().split('\n') },
});

function itemOf(request: SavedRequest): Json {
  const { name, about, method, headers, isSigned, body } = request;
  return {
    name,
    request: {
      method,
      description: about,
      header: [
        ...headers.map(pairOf),
        ...(isSigned ? SIGNATURE.map(([key, value]) => ({ key, value })) : []),
      ],
      url: urlOf(request),
      ...(body !== undefined && { body: bodyOf(body) }),
    },
    response: [],
  };
}

/**
 * Writes the URL. Postman writes `/produto/{codigo}` as `/produto/:codigo`, with a separate list of values.
 */
function urlOf({ path, pathValues, query }: SavedRequest): Json {
  const steps = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1');
  const sent = query.filter(({ isSent }) => isSent).map(({ name, value }) => `${name}=${value}`);
  return {
    raw: `{{baseUrl}}/${steps}${sent.length > 0 ? `?${sent.join('&')}` : ''}`,
    host: ['{{baseUrl}}'],
    path: steps.split('/'),
    ...(query.length > 0 && { query: query.map(pairOf) }),
    ...(pathValues.length > 0 && {
      variable: pathValues.map(({ name, value, about }) => ({ key: name, value, description: about })),
    }),
  };
}

const pairOf = ({ name, value, about, isSent }: Field): Json => ({
  key: name,
  value,
  description: about,
  ...(!isSent && { disabled: true }),
});

const bodyOf = (body: Body): Json =>
  body.kind === 'json'
    ? { mode: 'raw', raw: body.text, options: { raw: { language: 'json' } } }
    : {
        mode: 'formdata',
        formdata: body.fields.map(({ name, value, isFile }) =>
          isFile ? { key: name, type: 'file', src: [] } : { key: name, type: 'text', value },
        ),
      };
