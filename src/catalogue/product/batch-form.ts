/** An item of a batch as the document shows it (contract sections 4 to 6). */
import { Type as t } from '@sinclair/typebox';
import { itemOptions } from '../model.ts';
import { Codigo, PRODUCT_EXAMPLE as EXAMPLE, type Situacao, type productSchemas } from './model.ts';

/** What the document shows of an item: each is judged by the schema that its `situacao` chooses. */
export function productBatchItem({ Whole, Draft, Deactivation }: ReturnType<typeof productSchemas>['batch']) {
  const only = (situacao: Situacao) =>
    t.Unsafe<Situacao>({
      type: 'string',
      enum: [situacao],
      'x-any-case': true,
      description: `Sempre ${situacao} nesta forma.`,
    });
  const example = { seq: 1, cpfCnpjRaiz: '12345678' };
  return t.Union(
    [
      t.Object(
        { ...Whole.properties, situacao: t.Optional(only('ATIVADO')) },
        {
          ...itemOptions,
          'x-form': 'ProductItem',
          description:
            'Sem codigo inclui (com dataReferencia, valendo desde esse dia); com codigo faz nova versão ou ativa um rascunho; com codigo e versao retifica.',
          examples: [{ ...example, ...EXAMPLE }],
        },
      ),
      t.Object(
        { ...Draft.properties, situacao: only('RASCUNHO') },
        {
          ...itemOptions,
          'x-form': 'ProductDraftItem',
          description:
            'Inclui ou edita um rascunho: só a denominação, o número e a empresa são obrigatórios.',
          examples: [{ ...example, situacao: 'RASCUNHO', denominacao: 'Caixa plástica' }],
        },
      ),
      t.Object(
        { ...Deactivation.properties, codigo: Codigo, situacao: only('DESATIVADO') },
        {
          ...itemOptions,
          'x-form': 'ProductDeactivationItem',
          description: 'Desativa o produto; o conteúdo é ignorado.',
          examples: [{ ...example, codigo: 1, situacao: 'DESATIVADO' }],
        },
      ),
    ],
    { 'x-form': 'ProductBatchItem', description: 'Um item de um lote de produtos.' },
  );
}
