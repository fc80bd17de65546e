/** Change of many products at once: the user fills in values, then a dry run shows the result per product. */
import { useState } from 'preact/hooks';
import type { ImportStarted, ProductForm } from '../api/answers.ts';
import { type AttributeValues, NO_VALUES } from '../../catalogue/attribute/words/values.ts';
import { api } from '../api/api.ts';
import type { Query } from '../api/client.ts';
import { searchesDone } from '../api/pending-searches.ts';
import { useForm } from '../api/use-form.ts';
import { useAction } from '../api/use-action.ts';
import { useOpenImport } from '../api/use-open-import.ts';
import { useResource } from '../api/use-resource.ts';
import { type Field, everyFieldOf } from './form/fields.ts';
import { ErrorAlert, Notice } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox } from '../ui/field.tsx';
import { countText } from '../words.ts';
import { AttributeField } from './form/attribute-fields.tsx';
import {
  RemovableField,
  NO_FIELD_CHANGES,
  type FieldChanges,
  ChangeFields,
  requestedChanges,
  isFilled,
  isWithoutChanges,
} from './change-fields.tsx';
import { Choice } from '../ui/select.tsx';
import { CompanyLine } from '../ui/company-name.tsx';
import { withoutEmpty } from './form/form-values.ts';
import { NcmField } from './form/ncm-field.tsx';
import { isUnknownNcm, useNcm } from './form/use-ncm.ts';

export interface ChangeManyProps {
  readonly company: string;
  /** Codes of individually chosen products. */
  readonly codes: readonly number[];
  /** Replaces `codes` with all matches of the filters: the API query and the number of matches. */
  readonly matches?: { readonly filter: Query; readonly total: number } | undefined;
  /** NCM whose attributes are offered first. */
  readonly ncm?: string;
  /** Attribute of `ncm` to fill in. */
  readonly attribute?: string | undefined;
  /** Date of the attribute table to use. */
  readonly on?: string | undefined;
  /** True to activate deactivated products. */
  readonly reactivates?: boolean;
  /** Additional note about these products. */
  readonly note?: string | undefined;
  readonly onClose: () => void;
}

export const CHANGES = '/appliance/api/products/changes';

export function ChangeMany(props: ChangeManyProps) {
  const { company, codes, matches: filteredList, onClose } = props;
  const openImport = useOpenImport();
  const rules = useResource<ProductForm>('/appliance/api/product-form').value;
  const [ncm, setNcm] = useState(props.ncm ?? '');
  const [chosenFields, setChosenFields] = useState<readonly Field[]>([]);
  const [isPresetRemoved, setPresetRemoved] = useState(false);
  const [filled, setFilled] = useState<AttributeValues>(NO_VALUES);
  const form = useForm<FieldChanges>(NO_FIELD_CHANGES);
  const fieldChanges = form.values;
  const [act, setAct] = useState<'change' | 'deactivate'>('change');
  const [reactivate, setReactivate] = useState(props.reactivates ?? false);
  const requirements = useNcm(ncm, rules, props.on);
  const offered = requirements.prepared === undefined ? [] : everyFieldOf(requirements.prepared);
  const presetFields = isPresetRemoved ? [] : offered.filter(({ codigo }) => codigo === props.attribute);
  const fields = [
    ...presetFields,
    ...chosenFields.filter(({ codigo }) => codigo !== presetFields[0]?.codigo),
  ];
  const atributos = attributesOf(fields, filled);
  const changesToSend = () => {
    const { set, ...links } = requestedChanges(form.latest());
    const all = { ...set, ...(fields.length > 0 && { atributos }) };
    return { ...links, ...(Object.keys(all).length > 0 && { set: all }), ...(reactivate && { reactivate }) };
  };
  const dryRun = useAction(
    async () => {
      await searchesDone();
      return api.post<ImportStarted>(CHANGES, {
        cpfCnpjRaiz: company,
        ...(filteredList === undefined ? { codigos: codes } : { filter: filteredList.filter }),
        ...(act === 'deactivate' ? { deactivate: true } : changesToSend()),
        simular: true,
      });
    },
    ({ id }) => openImport(id, company),
  );
  const isFilledIn =
    act === 'deactivate' ||
    ((fields.length > 0 || !isWithoutChanges(fieldChanges) || reactivate) &&
      fields.every(({ codigo }) => codigo in atributos) &&
      isFilled(fieldChanges));
  return (
    <Dialog title="Alterar vários produtos" wide onClose={onClose}>
      <div class="stack">
        <CompanyLine />
        <p>
          {filteredList === undefined
            ? `Os escolhidos (${countText(codes.length)})`
            : `Todos os que o filtro encontra (${countText(filteredList.total)})`}
        </p>
        {props.note !== undefined && <Notice tone="calm">{props.note}</Notice>}
        <Choice
          label="O que fazer"
          name="act"
          value={act}
          onChange={setAct}
          options={[
            { value: 'change', label: 'Alterar' },
            { value: 'deactivate', label: 'Desativar' },
          ]}
        />
        {act === 'change' && (
          <>
            {rules !== undefined && (
              <ChangeFields cpfCnpjRaiz={company} rules={rules} changes={fieldChanges} onChange={form.set} />
            )}
            <NcmField
              hasTable={rules?.attributeTable !== null}
              help="De que NCM são os atributos. Um produto de outra NCM que não tem o atributo fica como está."
              value={ncm}
              onChange={setNcm}
            />
            {isUnknownNcm(requirements.error) ? (
              <Notice tone="warn">A tabela de atributos em vigor não tem esta NCM.</Notice>
            ) : (
              <ErrorAlert error={requirements.error} onRetry={requirements.reload} />
            )}
            {fields.map((field) => (
              <RemovableField
                key={field.codigo}
                name={field.detail.nomeApresentacao}
                onRemove={() => {
                  setChosenFields(chosenFields.filter((chosenField) => chosenField !== field));
                  if (presetFields.includes(field)) setPresetRemoved(true);
                }}
              >
                <AttributeField
                  field={field}
                  filled={filled}
                  onFilled={(change) => setFilled(change)}
                  errorAt={() => undefined}
                />
              </RemovableField>
            ))}
            <Combobox
              label={fields.length === 0 ? 'Atributo' : 'Mais um atributo'}
              help="O que se altera; todo o resto de cada produto fica como está."
              disabled={offered.length === 0}
              options={offered
                .filter(({ codigo }) => !fields.some((field) => field.codigo === codigo))
                .map(({ codigo, detail }) => ({ value: codigo, label: detail.nomeApresentacao }))}
              value=""
              onChange={(codigo) =>
                setChosenFields([...chosenFields, ...offered.filter((field) => field.codigo === codigo)])
              }
            />
            <Checkbox label="Ativar os que estão desativados" value={reactivate} onChange={setReactivate} />
          </>
        )}
        <ErrorAlert error={dryRun.error} />
        <Actions>
          <Button
            kind="primary"
            isBusy={dryRun.isBusy}
            disabled={!isFilledIn}
            onPress={() => void dryRun.run()}
          >
            Conferir sem gravar
          </Button>
          <Button onPress={onClose}>Cancelar</Button>
        </Actions>
      </div>
    </Dialog>
  );
}

/** Returns the attributes in the form of the operation, without empty ones. */
export function attributesOf(
  fields: readonly Field[],
  all: AttributeValues,
): Readonly<Record<string, unknown>> {
  const { values, groups } = withoutEmpty(all);
  return Object.fromEntries(
    fields.flatMap(({ codigo, groups: parts }) => {
      const content = (parts.length === 0 ? values : groups)[codigo] ?? [];
      return content.length === 0 ? [] : [[codigo, content]];
    }),
  );
}
