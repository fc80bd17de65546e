/** Serves the API document, which is built and compressed once. */
import { type DocumentParts, openApiDocument } from './openapi.ts';
import { JSON_TYPE } from './answers.ts';
import { type Operation, operation } from './operation.ts';
import { ServedText } from './served-text.ts';
import { t } from '../validation/type.ts';

export interface ServedDocument<Caller> {
  readonly operation: Operation<Caller>;
  /** The document in JSON, built at the first request. */
  readonly text: () => string;
}

/**
 * Returns the document of all operations and the operation that serves it. The document includes that
 * operation.
 */
export function servedDocument<Caller>(parts: DocumentParts): ServedDocument<Caller> {
  let cachedText: string | undefined;
  let served: ServedText | undefined;
  const text = (): string =>
    (cachedText ??= JSON.stringify(
      openApiDocument({
        ...parts,
        operations: [...parts.operations, route],
      }),
    ));
  const route: Operation<Caller> = operation('GET', '/openapi.json', {
    id: 'getDocument',
    tag: 'Operação',
    source: 'contract, section 1',
    summary: 'Este documento',
    access: 'anybody',
    success: t.Object(
      { openapi: t.String({ description: 'Versão do formato OpenAPI.', examples: ['3.1.0'] }) },
      { additionalProperties: true, 'x-form': 'OpenApiDocument', description: 'Um documento OpenAPI.' },
    ),
    handle: async ({ request }) => {
      const { bytes, headers } = await (served ??= new ServedText(text())).sentTo(request);
      return { headers: { 'Content-Type': JSON_TYPE, ...headers }, content: bytes };
    },
  });
  return { operation: route, text };
}
