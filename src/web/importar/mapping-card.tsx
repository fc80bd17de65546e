/** Which column of a spreadsheet goes where, with what stands in it. */
import type { JSX } from 'preact';
import { Notice } from '../ui/alert.tsx';
import { Card } from '../ui/page.tsx';
import { type Option, Select } from '../ui/select.tsx';
import { counted } from '../words.ts';
import { type Chosen, withSheet } from './chosen.ts';
import type { ImportKind } from './kinds.ts';
import type { AttributeForms } from './sheet/attributes.ts';
import { COLUMNS } from './sheet/columns.ts';
import { attributeOf, attributeTarget, missingColumns } from './sheet/mapping.ts';

const PREVIEW_ROWS = 3;

export interface MappingCardProps {
  readonly chosen: Chosen;
  readonly kind: ImportKind;
  readonly forms: AttributeForms;
  readonly onChange: (chosen: Chosen) => void;
}

export function MappingCard({ chosen, kind, forms, onChange }: MappingCardProps): JSX.Element {
  const { file, sheets, sheet, mapping } = chosen;
  const { headings = [], rows = [] } = sheets[sheet] ?? {};
  const missing = missingColumns(mapping, kind);
  return (
    <Card title={`Colunas de ${file.name}`}>
      <p class="muted">
        {counted(rows.length, 'linha', 'linhas')}. Diga o que cada coluna é; o que ficar em “não importar” é
        deixado de lado.
      </p>
      {sheets.length > 1 && (
        <Select
          label="Planilha"
          value={String(sheet)}
          options={sheets.map(({ name }, at) => ({ value: String(at), label: name }))}
          onChange={(at) => onChange(withSheet(chosen, Number(at), kind, forms))}
        />
      )}
      {missing.length > 0 && (
        <Notice tone="warn">
          Falta dizer que coluna é {missing.map(({ label }) => label).join(', ')}: sem ela nenhuma linha pode
          ser incluída.
        </Notice>
      )}
      <div class="mapping">
        {headings.map((heading, place) => (
          <div key={place} class="mapping-column">
            <Select
              label={heading === '' ? `Coluna ${place + 1}` : heading}
              value={mapping[place] ?? ''}
              options={targetsOf(kind, forms, mapping[place])}
              onChange={(target) =>
                onChange({
                  ...chosen,
                  mapping: mapping.with(place, target === '' ? null : target),
                  isGuessed: false,
                })
              }
            />
            <ul class="plain mapping-preview muted">
              {rows.slice(0, PREVIEW_ROWS).map(({ line, cells }) => (
                <li key={line}>{cells[place]?.text || '–'}</li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Card>
  );
}

/** Members of the kind, then attributes; one that no table describes stays as it was named. */
function targetsOf(
  kind: ImportKind,
  forms: AttributeForms,
  now: string | null | undefined,
): readonly Option[] {
  const attributes = kind === 'produto' ? [...forms.values()] : [];
  const named = attributeOf(now);
  const unknown = named !== undefined && !forms.has(named) ? [{ value: now ?? '', label: named }] : [];
  return [
    { value: '', label: 'não importar' },
    ...COLUMNS[kind].map(({ member, label }) => ({ value: member, label })),
    ...attributes.map(({ codigo, nomeApresentacao }) => ({
      value: attributeTarget(codigo),
      label: `${nomeApresentacao} (${codigo})`,
    })),
    ...unknown,
  ];
}
