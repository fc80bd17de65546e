/** Serves separate operations for drafts (contract section 25). */
import { type Operation, ok, operationsIn } from '../../http/operation.ts';
import { requireRight } from '../../session/guard.ts';
import type { Caller } from '../../session/model.ts';
import type { CatalogueAccess } from '../access.ts';
import { repeatsOfNew, strict } from '../model.ts';
import { Codigo, type productSchemas } from './model.ts';
import type { ProductService } from './service.ts';
import { t } from '../../validation/type.ts';

const PATH = '/appliance/api/products/drafts';
const operation = operationsIn({ tag: 'Produtos', source: 'contract, section 25' });

export function draftRoutes(
  products: ProductService,
  schemas: ReturnType<typeof productSchemas>,
  access: CatalogueAccess,
): Operation<Caller>[] {
  const { cpfCnpjRaiz, Response, batch } = schemas;
  const content = t.Omit(batch.Draft, [
    'seq',
    'codigo',
    'cpfCnpjRaiz',
    'situacao',
    'versao',
    'dataReferencia',
  ]);
  const example = { denominacao: 'Caixa plástica' };
  const form = {
    ...strict,
    description: 'O que já se sabe de um produto: ao menos denominacao.',
    'x-elsewhere': {
      dataReferencia: 'Um rascunho ainda não vale em dia nenhum: retire-o, ou inclua o produto ativado.',
    },
  };

  return [
    operation('POST', PATH, {
      id: 'includeDraft',
      right: 'preenchimento',
      summary: 'Inclui um rascunho de produto',
      description: 'De um rascunho só a forma é conferida. A nova versão do produto o ativa.',
      repeats: () => repeatsOfNew({}, 'RASCUNHO'),
      body: t.Object(
        { cpfCnpjRaiz, ...content.properties },
        { ...form, 'x-form': 'NewDraft', examples: [{ cpfCnpjRaiz: '12345678', ...example }] },
      ),
      success: Response,
      handle: async ({ caller, body: { cpfCnpjRaiz: company, ...draft } }) => {
        requireRight(caller, company, 'preenchimento');
        return ok(await products.includeDraft(caller, { cpfCnpjRaiz: company }, draft));
      },
    }),

    operation('PUT', `${PATH}/:cpfCnpjRaiz/:codigo`, {
      id: 'editDraft',
      right: 'preenchimento',
      summary: 'Substitui o conteúdo de um rascunho, que continua um',
      // First code after the generated catalogue.
      params: t.Object({ cpfCnpjRaiz, codigo: { ...Codigo, examples: [9] } }),
      repeats: (key) => products.repeats(key),
      body: t.Object(content.properties, { ...form, 'x-form': 'Draft', examples: [example] }),
      success: Response,
      guard: access.writesPathCompany,
      handle: async ({ caller, params, body }) => ok(await products.editDraft(caller, params, body)),
    }),
  ];
}
