/** Operations on the nomenclature (contract section 20). */
import { originAnswer } from '../catalogue/attribute/origin/answer.ts';
import type { Origin } from '../catalogue/attribute/origin/origin.ts';
import { nomenclatureDecision } from '../catalogue/attribute/origin/fetch-problem.ts';
import { JSON_TYPE } from '../http/answers.ts';
import { readBytes, refuseOtherTypes } from '../http/body.ts';
import { type Operation, ok, operationsIn } from '../http/operation.ts';
import type { Caller } from '../session/model.ts';
import {
  CurrentNomenclature,
  LoadedNomenclature,
  NCM_LIMIT,
  NcmParams,
  NcmQuery,
  NcmWords,
  NomenclatureFile,
} from './model.ts';
import { NOMENCLATURE_MAX_BYTES, type Nomenclature } from './service.ts';
import { t } from '../validation/type.ts';

const operation = operationsIn({ tag: 'Nomenclatura', source: 'contract, section 20' });
const FILE_TYPES = ['application/json', 'application/zip'] as const;

export const nomenclatureRoutes = (nomenclature: Nomenclature, origin: Origin): Operation<Caller>[] => [
  operation('POST', '/appliance/api/nomenclature', {
    access: 'administrator',
    id: 'loadNomenclature',
    right: 'none',
    summary: 'Carrega a nomenclatura, no lugar da que houver',
    description:
      'O arquivo público da nomenclatura, em JSON ou zip. Um arquivo com defeito é recusado com o lugar de cada um, e nada muda.',
    body: NomenclatureFile,
    bodyForm: 'raw',
    accepts: FILE_TYPES,
    bodyLimit: NOMENCLATURE_MAX_BYTES,
    success: LoadedNomenclature,
    handle: async ({ caller, request, quotaOwner }) => {
      refuseOtherTypes(request, FILE_TYPES);
      return ok(
        await nomenclature.load(await readBytes(request, NOMENCLATURE_MAX_BYTES), caller, quotaOwner),
      );
    },
  }),

  operation('GET', '/appliance/api/nomenclature', {
    id: 'getNomenclature',
    summary: 'Diz qual nomenclatura está em uso, e o que veio da última busca',
    success: CurrentNomenclature,
    handle: () =>
      ok({
        loaded: nomenclature.current() ?? null,
        origin: originAnswer(origin, nomenclatureDecision(nomenclature.loadedAt())),
      }),
  }),

  operation('GET', '/appliance/api/ncm', {
    id: 'searchNcms',
    summary: 'Procura NCMs na nomenclatura, por código ou por palavras',
    description: 'Em ordem de código; [] enquanto nenhuma nomenclatura foi carregada.',
    query: NcmQuery,
    success: t.Array(NcmWords),
    handle: ({ query: { text = '', codes, limit = NCM_LIMIT.default } }) =>
      ok(codes === undefined ? nomenclature.search(text, limit) : nomenclature.these(codes.split(','))),
  }),

  operation('GET', '/appliance/api/ncm/:ncm', {
    id: 'getNcm',
    summary: 'Diz o que uma NCM é, em palavras',
    params: NcmParams,
    success: NcmWords,
    handle: ({ params }) => ok(nomenclature.get(params.ncm.replaceAll('.', ''))),
  }),

  operation('GET', '/classif/api/publico/nomenclatura/download/json', {
    id: 'downloadNomenclature',
    summary: 'Baixa a nomenclatura, byte por byte como foi carregada',
    description: 'Sem autenticação; perfil é ignorado. De um zip, o JSON que estava nele.',
    access: 'anybody',
    mayBeMissing: true,
    success: NomenclatureFile,
    handle: async () => ({ headers: { 'Content-Type': JSON_TYPE }, content: await nomenclature.file() }),
  }),
];
