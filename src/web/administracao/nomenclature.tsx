/** Shows the nomenclature, which describes each NCM: the version in use, and its replacement. */
import type { CurrentNomenclature, LoadedNomenclature } from '../api/answers.ts';
import { forgetNcmWords } from '../api/use-ncm-words.ts';
import { useResource } from '../api/use-resource.ts';
import { LastFetch } from '../ui/last-fetch.tsx';
import { LoadCard } from '../ui/load-card.tsx';
import { Card, ResourceView } from '../ui/page.tsx';
import { EmptyList } from '../ui/table.tsx';
import { toast } from '../ui/toast.tsx';
import { withCount, momentText } from '../words.ts';

const NOMENCLATURE = '/appliance/api/nomenclature';

export function Nomenclature() {
  const current = useResource<CurrentNomenclature>(NOMENCLATURE);
  return (
    <div class="stack">
      <Card title="Nomenclatura em uso">
        <ResourceView resource={current}>
          {({ loaded, origin }) => (
            <>
              <LastFetch origin={origin} subject="A nomenclatura">
                Uma nova toma o lugar da que está em uso, a não ser que tenha perdido muito.
              </LastFetch>
              {loaded === null ? (
                <EmptyList>Nenhuma foi carregada: as NCMs aparecem só por seus códigos.</EmptyList>
              ) : (
                <InUse nomenclature={loaded} />
              )}
            </>
          )}
        </ResourceView>
      </Card>
      <LoadCard<LoadedNomenclature>
        title="Carregar a nomenclatura"
        drop="Solte aqui o arquivo público da nomenclatura (JSON ou ZIP)"
        about="O arquivo é conferido por inteiro e toma o lugar do que houver. Nenhum produto muda: a nomenclatura só dá palavras às NCMs."
        path={NOMENCLATURE}
        onLoaded={({ ncms }) => {
          toast(`Nomenclatura carregada: ${withCount(ncms, 'NCM', 'NCMs')}.`);
          forgetNcmWords();
          current.reload();
        }}
      />
    </div>
  );
}

const InUse = ({
  nomenclature: { rows, ncms, updated, act, loadedAt },
}: {
  readonly nomenclature: LoadedNomenclature;
}) => (
  <>
    <p>
      {withCount(ncms, 'NCM', 'NCMs')}, em {withCount(rows, 'linha', 'linhas')}, carregada em{' '}
      {momentText(loadedAt)}.
    </p>
    <p class="muted">
      <bdi>{[updated, act].filter((text) => text !== '').join(' · ')}</bdi>
    </p>
  </>
);
