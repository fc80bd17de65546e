/** Compares two versions, which the address names: `De`, `Para` and the differences. */
import { useState } from 'preact/hooks';
import type { ListedVersion } from '../api/answers.ts';
import type { ApiError } from '../api/result.ts';
import { useFilters } from '../api/use-filters.ts';
import { useResource } from '../api/use-resource.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/field.tsx';
import { Card } from '../ui/page.tsx';
import { Skeleton } from '../ui/progress.tsx';
import { Select } from '../ui/select.tsx';
import { instead } from '../ui/form.tsx';
import { useCopyOf } from '../ui/use-copy-of.ts';
import { EmptyList } from '../ui/table.tsx';
import { withCount, dayText } from '../words.ts';
import { type Difference, differences, validityText } from './differences.ts';

export interface CompareProps {
  readonly versions: readonly ListedVersion[];
  /** Returns the path of a version's content. */
  readonly pathOf: (versao: string) => string;
  /** Returns the part of the content to compare. Absent: the content itself. */
  readonly reading?: (content: object) => object;
  /** Returns the label of a place: `identificacoesAdicionais/0/numero` → "Identificação 1, número". */
  readonly nameOf: (place: string) => string;
}

/** Members that identify the version and are not content. */
const IDENTIFYING_MEMBERS = ['seq', 'cpfCnpjRaiz', 'codigo', 'versao', 'dataReferencia'];

export function Compare({ versions, pathOf, reading = (content: object) => content, nameOf }: CompareProps) {
  const [{ de: from, para: to }, setCompared] = useFilters(['de', 'para']);
  const options = versions.toReversed().map((version) => ({
    value: version.versao,
    label: `${version.versao} (${validityText(version, dayText)})`,
  }));
  // The default is the last two versions, also after a new one was created.
  const [pickedFrom, setFrom] = useCopyOf(from);
  const [pickedTo, setTo] = useCopyOf(to);
  const chosenFrom = pickedFrom || (versions.at(-2)?.versao ?? '');
  const chosenTo = pickedTo || (versions.at(-1)?.versao ?? '');
  const isRequested = from !== '' && to !== '';
  const before = useResource<object>(isRequested ? pathOf(from) : undefined);
  const after = useResource<object>(isRequested ? pathOf(to) : undefined);
  return (
    <Card title="Comparar versões">
      {versions.length < 2 ? (
        <EmptyList>Com uma versão só, não há o que comparar.</EmptyList>
      ) : (
        <div class="stack">
          <form class="filters" onSubmit={instead(() => setCompared({ de: chosenFrom, para: chosenTo }))}>
            <Select label="De" value={chosenFrom} options={options} onChange={setFrom} />
            <Select label="Para" value={chosenTo} options={options} onChange={setTo} />
            <Button type="submit">Comparar</Button>
          </form>
          <Errors errors={[before.error, after.error]} />
          {isRequested && (before.isLoading || after.isLoading) && <Skeleton lines={4} />}
          {before.value !== undefined && after.value !== undefined && (
            <Differences
              from={from}
              to={to}
              nameOf={nameOf}
              all={differences(reading(before.value), reading(after.value), IDENTIFYING_MEMBERS)}
            />
          )}
        </div>
      )}
    </Card>
  );
}

const Errors = ({ errors }: { readonly errors: readonly (ApiError | undefined)[] }) => (
  <ErrorAlert error={errors.find((error) => error !== undefined)} />
);

const KINDS = {
  same: ['muted', 'Igual'],
  added: ['good', 'Novo'],
  removed: ['bad', 'Retirado'],
  changed: ['warn', 'Alterado'],
} as const;

function Differences(
  props: Pick<CompareProps, 'nameOf'> & {
    readonly from: string;
    readonly to: string;
    readonly all: readonly Difference[];
  },
) {
  const { from, to, nameOf, all } = props;
  const [withSame, setWithSame] = useState(false);
  const changed = all.filter(({ kind }) => kind !== 'same');
  const visibleDifferences = withSame ? all : changed;
  return (
    <>
      <div class="versions-about">
        <p role="status">
          {changed.length === 0
            ? 'As duas versões têm o mesmo conteúdo.'
            : `${withCount(changed.length, 'diferença', 'diferenças')} entre a versão ${from} e a ${to}.`}
        </p>
        <Checkbox label="Mostrar também o que é igual" value={withSame} onChange={setWithSame} />
      </div>
      {visibleDifferences.length > 0 && (
        <table class="table cards versions-differences">
          <caption class="hidden">Diferenças entre as duas versões</caption>
          <thead>
            <tr>
              <th scope="col">Campo</th>
              <th scope="col">Versão {from}</th>
              <th scope="col">Versão {to}</th>
              <th scope="col">O que mudou</th>
            </tr>
          </thead>
          <tbody>
            {visibleDifferences.map(({ place, kind, ...sides }) => (
              <tr key={place} class={kind}>
                <td data-label="Campo">{nameOf(place)}</td>
                <ValueCell title={`Versão ${from}`} text={sides.from} />
                <ValueCell title={`Versão ${to}`} text={sides.to} />
                <td data-label="O que mudou">
                  <div>
                    <Badge tone={KINDS[kind][0]}>{KINDS[kind][1]}</Badge>
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

const ValueCell = ({ title, text }: { readonly title: string; readonly text: string | undefined }) => (
  <td data-label={title}>
    <div>{text === undefined ? <span class="muted">–</span> : <bdi>{text}</bdi>}</div>
  </td>
);
