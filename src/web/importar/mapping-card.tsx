/** Mapping of the columns of a spreadsheet, with reason and sample values. Unmapped columns come first. */
import { useState } from 'preact/hooks';
import type { LookedSheet } from '../api/answers.ts';
import { useAction } from '../api/use-action.ts';
import { ErrorAlert, Notice } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox, Input } from '../ui/field.tsx';
import { Card } from '../ui/page.tsx';
import { type Option, Select } from '../ui/select.tsx';
import { withCount } from '../words.ts';
import { rowNumbersIn } from './row-numbers.ts';
import {
  type ChosenFile,
  type ChosenSheet,
  withHeaderRow,
  withAnalysis,
  withoutChoices,
} from './chosen-file.ts';

export interface MappingCardProps {
  readonly chosenFile: ChosenFile & { readonly sheet: ChosenSheet };
  readonly onChange: (chosen: ChosenFile) => void;
}

/** Members that identify the record that a row changes. */
const KEYS = new Set(['codigo', 'codigosInterno', 'codigoInterno']);

const KEY_OPTIONS: readonly Option<ChosenSheet['key']>[] = [
  { value: '', label: 'o mesmo código ou, sem ele, código interno' },
  { value: 'codigo', label: 'o mesmo código' },
  { value: 'codigoInterno', label: 'o mesmo código interno' },
  { value: 'nenhuma', label: 'nenhum: cada linha inclui um novo' },
];

const ROW_NUMBERS_FAULT = 'Aceita números de linha e intervalos: 3, 10-12.';

export function MappingCard({ chosenFile, onChange }: MappingCardProps) {
  const { file, sheet } = chosenFile;
  const { analysis, sheetIndex, mapping } = sheet;
  const sheetAnalysis = analysis.sheets[sheetIndex];
  if (sheetAnalysis === undefined) return null;
  const columns = sheetAnalysis.columns.map((sheetColumn) => ({
    ...sheetColumn,
    help: mapping.has(sheetColumn.index) ? 'escolhida por você' : reasonOf(sheetColumn),
    target: mapping.has(sheetColumn.index) ? (mapping.get(sheetColumn.index) ?? null) : sheetColumn.target,
    meanings:
      !mapping.has(sheetColumn.index) || mapping.get(sheetColumn.index) === sheetColumn.target
        ? sheetColumn.meanings
        : [],
  }));
  const options = [
    { value: '', label: 'não importar' },
    ...optionsOf(
      sheetAnalysis,
      columns.map(({ target }) => target),
    ),
  ];
  return (
    <Card title={`Colunas de ${file.name}`}>
      <p class="muted">
        {withCount(sheetAnalysis.rows, 'linha', 'linhas')}. O que ficar em “não importar” é deixado de lado; o
        que a planilha não traz fica como está no catálogo.
      </p>
      {analysis.sheets.length > 1 && (
        <Select
          label="Planilha"
          value={String(sheetIndex)}
          options={analysis.sheets.map(({ name }, place) => ({ value: String(place), label: name }))}
          onChange={(place) => onChange(withAnalysis(file, analysis, sheet, Number(place)))}
        />
      )}
      <HeaderRow
        key={sheetAnalysis.headerRow}
        chosenFile={chosenFile}
        sheetAnalysis={sheetAnalysis}
        onChange={onChange}
      />
      <Missing
        sheetAnalysis={sheetAnalysis}
        sheet={sheet}
        targets={columns.map(({ target }) => target)}
        onConstants={(constants) => onChange({ ...chosenFile, sheet: { ...sheet, constants } })}
      />
      <div class="mapping">
        {columns
          .toSorted((a, b) => Number(a.target !== null) - Number(b.target !== null))
          .map(({ index, heading, samples, target, help, meanings }) => (
            <div key={index} class="mapping-column">
              <Select
                label={heading === '' ? `Coluna ${index + 1}` : heading}
                help={help}
                value={target ?? ''}
                options={options}
                onChange={(next) =>
                  onChange({
                    ...chosenFile,
                    sheet: { ...sheet, mapping: new Map(mapping).set(index, next === '' ? null : next) },
                  })
                }
              />
              <ul class="plain mapping-preview muted">
                {samples.map((sample) => (
                  <li key={sample}>{sample}</li>
                ))}
              </ul>
              {meanings.map(({ value, meaning }) => (
                <p key={value} class="muted">
                  “{value}” é lido como “{meaning}”, como lembrado.
                </p>
              ))}
            </div>
          ))}
      </div>
      {sheetAnalysis.columns.some(
        ({ because, meanings }) => because === 'escolha' || meanings.length > 0,
      ) && <ForgetChoices chosenFile={chosenFile} onChange={onChange} />}
      <div class="mapping">
        <Select
          label="Uma linha é do registro que tem"
          value={sheet.key}
          options={KEY_OPTIONS}
          onChange={(key) => onChange({ ...chosenFile, sheet: { ...sheet, key } })}
        />
        <Input
          label="Deixar de fora as linhas"
          value={sheet.rowsOut}
          error={rowNumbersIn(sheet.rowsOut) === undefined ? ROW_NUMBERS_FAULT : undefined}
          onChange={(rowsOut) => onChange({ ...chosenFile, sheet: { ...sheet, rowsOut } })}
          help="Como a planilha as numera: 3, 10-12."
        />
        <Checkbox
          label="Uma célula vazia apaga o que há no catálogo"
          value={sheet.clearsOnEmpty}
          onChange={(clearsOnEmpty) => onChange({ ...chosenFile, sheet: { ...sheet, clearsOnEmpty } })}
        />
        <Checkbox
          label="Ativar os que estão desativados"
          value={sheet.reactivates}
          onChange={(reactivates) => onChange({ ...chosenFile, sheet: { ...sheet, reactivates } })}
        />
      </div>
    </Card>
  );
}

/** Returns the reason for the mapping of a column, in words. */
function reasonOf({ because, sure }: LookedSheet['columns'][number]): string {
  switch (because) {
    case 'nome':
      return 'é o nome desta coluna no catálogo';
    case 'escolha':
      return 'escolhida assim antes';
    case 'palpite':
      return sure ? 'pelo nome da coluna' : 'parece, pelos valores: confira';
    case 'repetida':
      return 'outra coluna já vai para onde esta iria';
    default:
      return 'não reconhecida';
  }
}

/**
 * Returns the targets of the server, plus those in use that it does not list: attributes of no NCM in the
 * sheet.
 */
function optionsOf({ targets }: LookedSheet, mappedTargets: readonly (string | null)[]) {
  const listedTargets = new Set(targets.map(({ target }) => target));
  const others = [...new Set(mappedTargets)].filter(
    (target) => target !== null && !listedTargets.has(target),
  ) as string[];
  return [
    ...targets.map(({ target, heading }) => ({ value: target, label: heading })),
    ...others.map((target) => ({ value: target, label: target.slice(target.indexOf(':') + 1) })),
  ];
}

/** Fields for required members without a column. A value applies to all rows. */
function Missing(props: {
  readonly sheetAnalysis: LookedSheet;
  readonly sheet: ChosenSheet;
  readonly targets: readonly (string | null)[];
  readonly onConstants: (constants: ChosenSheet['constants']) => void;
}) {
  const { sheetAnalysis, sheet, targets, onConstants } = props;
  const { constants } = sheet;
  const needed = sheetAnalysis.targets.filter(
    ({ target, isRequired }) => isRequired && !targets.includes(target),
  );
  if (needed.length === 0) return null;
  const missing = needed.filter(({ target }) => (constants[target] ?? '') === '');
  const names = missing.map(({ heading }) => heading).join(', ');
  const hasKey = targets.some((target) => target !== null && KEYS.has(target));
  return (
    <>
      {names !== '' && (
        <Notice tone={hasKey ? 'calm' : 'warn'}>
          {hasKey
            ? `Sem a coluna ${names} as linhas alteram registros que já existem, mas não incluem outros.`
            : `Falta dizer que coluna é ${names}: sem ela nenhuma linha pode ser incluída.`}
        </Notice>
      )}
      <div class="mapping">
        {needed.map(({ target, heading }) => (
          <Input
            key={target}
            label={`${heading} de todas as linhas`}
            value={constants[target] ?? ''}
            onChange={(value) => onConstants({ ...constants, [target]: value })}
          />
        ))}
      </div>
    </>
  );
}

function HeaderRow(props: MappingCardProps & { readonly sheetAnalysis: LookedSheet }) {
  const { chosenFile, sheetAnalysis, onChange } = props;
  const [row, setRow] = useState(String(sheetAnalysis.headerRow));
  const reading = useAction(() => withHeaderRow(chosenFile, Number(row)), onChange);
  return (
    <div class="header-row">
      <Input
        label="Linha dos nomes das colunas"
        inputMode="numeric"
        code
        value={row}
        onChange={setRow}
        help="Como a planilha a numera."
      />
      {row !== String(sheetAnalysis.headerRow) && (
        <Button small isBusy={reading.isBusy} onPress={() => void reading.run()}>
          Ler de novo
        </Button>
      )}
      <ErrorAlert error={reading.error} />
    </div>
  );
}

/** Button that deletes earlier choices for the whole company. The mapping is then guessed again. */
function ForgetChoices({ chosenFile, onChange }: MappingCardProps) {
  const forgetting = useAction(() => withoutChoices(chosenFile), onChange);
  return (
    <>
      <p>
        <Button small isBusy={forgetting.isBusy} onPress={() => void forgetting.run()}>
          Esquecer as escolhas de antes
        </Button>
      </p>
      <ErrorAlert error={forgetting.error} />
    </>
  );
}
