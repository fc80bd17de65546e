/** Serves the public attribute interface with all its parameters (contract section 8). */
import { JSON_TYPE } from '../../http/answers.ts';
import { type Answer, type Operation, ok, operationsIn } from '../../http/operation.ts';
import type { LongRead } from '../../reading/long-read.ts';
import { beginning } from '../../reading/stream.ts';
import type { Caller } from '../../session/model.ts';
import type { AttributeService } from './service.ts';
import {
  AttributesQuery,
  AttributesVersion,
  CodesLookUp,
  FileParams,
  NamesLookUp,
  NcmParams,
  NcmQuery,
  PublicFileQuery,
  TableFileQuery,
  TableVersion,
  VersionsQuery,
} from './public-schemas.ts';
import { AttributeDetailForm, ServedNcm } from './serving/forms.ts';
import type { ServedFile, TableQueries } from './serving/table-queries.ts';
import { redirectToPublicProfile } from './public-download.ts';
import { t } from '../../validation/type.ts';

const PUBLIC = '/cadatributos/api';
const SIGNED_IN = '/cadatributos/api/ext';
const operation = operationsIn({ tag: 'Tabelas de atributos', source: 'contract, section 8' });

const withoutDots = (ncm: string): string => ncm.replaceAll('.', '');

export interface PublicRoutesParts {
  readonly attributes: AttributeService;
  readonly tableQueries: TableQueries;
  /** Applies to anonymous downloads (setting `atributos.exigirPerfil`). */
  readonly requiresProfile: boolean;
}

export function publicAttributeRoutes({
  attributes,
  tableQueries,
  requiresProfile,
}: PublicRoutesParts): Operation<Caller>[] {
  const forAnybody = {
    access: 'anybody',
    params: FileParams,
    query: PublicFileQuery,
    produces: 'application/zip',
    ...(requiresProfile && { otherSuccess: [307] }),
  } as const;
  return [
    operation('GET', `${PUBLIC}/atributo-ncm/download/:tipo`, {
      ...forAnybody,
      id: 'downloadAttributeTable',
      summary: 'Baixa a tabela de atributos em vigor',
      handle: async ({ request, params }) =>
        (requiresProfile && redirectToPublicProfile(request)) ||
        downloadAnswer(await tableQueries.file(params.tipo)),
    }),

    operation('GET', `${PUBLIC}/atributo/download/:tipo`, {
      ...forAnybody,
      id: 'downloadAttributes',
      summary: 'Baixa os atributos da tabela em vigor, sem NCMs',
      handle: async ({ request, params }) =>
        (requiresProfile && redirectToPublicProfile(request)) ||
        downloadAnswer(await tableQueries.attributesFile(params.tipo)),
    }),

    operation('GET', `${SIGNED_IN}/atributo-ncm/download/:tipo`, {
      id: 'downloadAttributeTableSignedIn',
      summary: 'Baixa a tabela de atributos em vigor, ou o que se pede dela, com autenticação',
      description:
        'Sem parâmetros, o mesmo arquivo que se baixa sem autenticação. Com eles, só os pares pedidos e os atributos que eles citam; uma NCM sem par algum fica, vazia.',
      params: FileParams,
      query: TableFileQuery,
      produces: 'application/zip',
      handle: async ({ params, query: { codigosNCM, ...filter }, quotaOwner }) =>
        downloadAnswer(
          await tableQueries.file(params.tipo, filter, codigosNCM?.map(withoutDots), quotaOwner),
        ),
    }),

    operation('GET', `${SIGNED_IN}/atributo/download/:tipo`, {
      id: 'downloadAttributesSignedIn',
      summary: 'Baixa os atributos da tabela em vigor, sem NCMs, com autenticação',
      params: FileParams,
      query: AttributesQuery,
      produces: 'application/zip',
      handle: async ({ params, query, quotaOwner }) =>
        downloadAnswer(await tableQueries.attributesFile(params.tipo, query, quotaOwner)),
    }),

    operation('GET', `${SIGNED_IN}/atributo-ncm/historico-versoes`, {
      id: 'listAttributeTableVersions',
      summary:
        'Lista as tabelas que estiveram em vigor, da mais nova à mais antiga, com o que mudou em cada uma',
      query: VersionsQuery,
      success: t.Array(TableVersion),
      handle: ({ query, quotaOwner }) => jsonAnswer(attributes.versions('ncms', query.versao, quotaOwner)),
    }),

    operation('GET', `${SIGNED_IN}/atributo/historico-versoes`, {
      id: 'listAttributesVersions',
      summary:
        'Lista o que mudou nos atributos em cada tabela que esteve em vigor, da mais nova à mais antiga',
      query: VersionsQuery,
      success: t.Array(AttributesVersion),
      handle: ({ query, quotaOwner }) =>
        jsonAnswer(attributes.versions('attributes', query.versao, quotaOwner)),
    }),

    operation('POST', `${SIGNED_IN}/atributo/consulta-codigo`, {
      id: 'findAttributesByCode',
      right: 'none',
      summary: 'Mostra atributos da tabela em vigor, pelos códigos',
      description:
        'Na ordem pedida, também os condicionados e os subatributos. Os desconhecidos, e os que não estão em vigor em data, ficam de fora.',
      body: CodesLookUp,
      example: { codigos: ['ATT_90001'] },
      mayBeMissing: true,
      success: t.Array(AttributeDetailForm),
      handle: ({ body, quotaOwner }) =>
        jsonAnswer(tableQueries.lookUp('codigo', body.codigos, body.data, quotaOwner)),
    }),

    operation('POST', `${SIGNED_IN}/atributo/consulta-nome`, {
      id: 'findAttributesByName',
      right: 'none',
      summary: 'Mostra atributos da tabela em vigor, pelos nomes',
      description:
        'Na ordem pedida, também os condicionados e os subatributos; de um nome que vários têm, todos. Os desconhecidos, e os que não estão em vigor em data, ficam de fora.',
      body: NamesLookUp,
      example: { nomes: ['Torrado'] },
      mayBeMissing: true,
      success: t.Array(AttributeDetailForm),
      handle: ({ body, quotaOwner }) =>
        jsonAnswer(tableQueries.lookUp('nome', body.nomes, body.data, quotaOwner)),
    }),

    operation('GET', `${SIGNED_IN}/atributo-ncm/:codigoNcm`, {
      id: 'getNcmAttributes',
      summary: 'Mostra os atributos de uma NCM na tabela em vigor',
      params: NcmParams,
      query: NcmQuery,
      success: ServedNcm,
      handle: ({ params, query }) => ok(tableQueries.ofNcm(withoutDots(params.codigoNcm), query)),
    }),
  ];
}

const downloadAnswer = ({ name, content }: ServedFile): Answer => ({
  headers: {
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="${name}"`,
  },
  content,
});

/** Returns a JSON text that a Worker reads. */
export async function jsonAnswer(read: LongRead): Promise<Answer> {
  const content = await beginning(read);
  if (content === undefined) throw new Error('Such a read always has a text.');
  return { headers: { 'Content-Type': JSON_TYPE }, content };
}
