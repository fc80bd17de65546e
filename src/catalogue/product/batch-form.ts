/** Schema of an item of a product batch, for the API document. */
import { batchItem } from '../versioned/batch-form.ts';
import { PRODUCT_EXAMPLE, type productSchemas } from './model.ts';

export const productBatchItem = ({ Draft }: ReturnType<typeof productSchemas>['batch']) =>
  batchItem(Draft, {
    form: 'ProductItem',
    description:
      'Um item de um lote de produtos. ATIVADO, ou sem situacao, exige denominacao, modalidade e ncm: sem codigo inclui (com dataReferencia, valendo desde esse dia); com codigo faz nova versão ou ativa um rascunho; com codigo e versao retifica. RASCUNHO exige denominacao, e inclui ou edita um rascunho. DESATIVADO exige codigo, e desativa o produto; o conteúdo é ignorado.',
    required: ['seq', 'cpfCnpjRaiz'],
    examples: [
      PRODUCT_EXAMPLE,
      { situacao: 'RASCUNHO', denominacao: PRODUCT_EXAMPLE.denominacao },
      { situacao: 'DESATIVADO', codigo: 1 },
    ],
  });
