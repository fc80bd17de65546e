/** The API document, made once. */
import { Type as t } from '@sinclair/typebox';
import { type DocumentParts, openApiDocument } from './openapi.ts';
import { type Operation, okText, operation } from './operation.ts';

/** The operation that serves the document of all operations, itself included. */
export function documentRoute<Caller>(parts: DocumentParts): Operation<Caller> {
  let text: string | undefined;
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
    handle: () =>
      okText(
        (text ??= JSON.stringify(
          openApiDocument({
            ...parts,
            operations: [...parts.operations, route as unknown as Operation<never>],
          }),
        )),
      ),
  });
  return route;
}
