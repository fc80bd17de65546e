/** Shows the requirements of an NCM in the table in force. */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import type { NcmAttributes } from '../api/answers.ts';
import { useResource } from '../api/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { Card, ResourceView } from '../ui/page.tsx';
import { EmptyList } from '../ui/table.tsx';
import { useRestoreFocusOnMount } from '../ui/use-restore-focus.ts';
import { NcmDescription, NcmEnd } from '../ui/ncm.tsx';
import { withCount, ncmText } from '../words.ts';
import { AttributeView } from './attribute-view.tsx';
import { attributesOfNcm, isOfProducts, isRequired, modalitiesInWords } from './describe.ts';

export interface NcmCardProps {
  readonly ncm: string;
  readonly modalidade: string;
  readonly onBack: () => void;
}

export function NcmCard({ ncm, modalidade, onBack }: NcmCardProps): JSX.Element {
  useRestoreFocusOnMount();
  const answer = useResource<NcmAttributes>(`/cadatributos/api/ext/atributo-ncm/${ncm}`, {
    query: { modalidade },
  });
  return (
    <Card title={`O que pede ${ncmText(ncm)}`} actions={<Button onPress={onBack}>Todas</Button>}>
      <ResourceView resource={answer} lines={8}>
        {(ncmAttributes) => {
          const attributes = attributesOfNcm(ncmAttributes);
          // Counts the same attributes as the list.
          const counting = attributes.filter(({ detail }) => isOfProducts(detail));
          const required = counting.filter(isRequired).length;
          const others = attributes.length - counting.length;
          return (
            <div class="stack">
              <p>
                <NcmDescription code={ncm} /> <NcmEnd code={ncm} />
              </p>
              <p class="muted" role="status">
                {withCount(counting.length, 'atributo', 'atributos')},{' '}
                {withCount(required, 'obrigatório', 'obrigatórios')}
                {others > 0 && ` (e ${withCount(others, 'fora do catálogo', 'fora do catálogo')})`}, na tabela{' '}
                {ncmAttributes.versao}. <Link href={`/produtos?ncm=${ncm}`}>Ver os produtos</Link>
              </p>
              {attributes.length === 0 && <EmptyList>Nenhum atributo é pedido.</EmptyList>}
              <ul class="plain attributes-list">
                {attributes.map((requiredAttribute) => (
                  <li key={requiredAttribute.detail.codigo}>
                    <AttributeView
                      detail={requiredAttribute.detail}
                      isRequired={isRequired(requiredAttribute)}
                      isMulti={requiredAttribute.pairs.some(({ multivalorado }) => multivalorado)}
                      where={modalitiesInWords(requiredAttribute)}
                    />
                  </li>
                ))}
              </ul>
            </div>
          );
        }}
      </ResourceView>
    </Card>
  );
}
