/** Schema of an item of a product batch, for the API document. */
import { Type as t } from '@sinclair/typebox';
import { batchItem } from '../versioned/batch-form.ts';
import { Codigo, PRODUCT_EXAMPLE, type productSchemas } from './model.ts';

export const productBatchItem = ({
  Whole,
  Draft,
  Deactivation,
}: ReturnType<typeof productSchemas>['batch']) =>
  batchItem('ProductBatchItem', 'Um item de um lote de produtos.', [
    {
      schema: Whole,
      situacao: 'ATIVADO',
      form: 'ProductItem',
      example: PRODUCT_EXAMPLE,
      description:
        'Sem codigo inclui (com dataReferencia, valendo desde esse dia); com codigo faz nova versão ou ativa um rascunho; com codigo e versao retifica.',
    },
    {
      schema: Draft,
      situacao: 'RASCUNHO',
      form: 'ProductDraftItem',
      description: 'Inclui ou edita um rascunho: só a denominação, o número e a empresa são obrigatórios.',
      example: { denominacao: PRODUCT_EXAMPLE.denominacao },
    },
    {
      schema: t.Object({ ...Deactivation.properties, codigo: Codigo }),
      situacao: 'DESATIVADO',
      form: 'ProductDeactivationItem',
      example: { codigo: 1 },
      description: 'Desativa o produto; o conteúdo é ignorado.',
    },
  ]);
