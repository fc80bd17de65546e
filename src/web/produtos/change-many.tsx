/** Attributes of many products changed at once: which products, which values; then a dry run shows what each would become. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { ImportStarted, ProductForm } from '../api/answers.ts';
import { type AttributeValues, NO_VALUES } from '../../catalogue/attribute/words/values.ts';
import { api } from '../api/api.ts';
import type { Query } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { useResource } from '../api/use-resource.ts';
import { type Field, everyFieldOf } from './form/fields.ts';
import { ErrorAlert, Notice } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox } from '../ui/field.tsx';
import { count } from '../words.ts';
import { AttributeField } from './form/attribute-fields.tsx';
import { withoutEmpty } from './form/form-values.ts';
import { NcmField } from './form/ncm-field.tsx';
import { isUnknownNcm, useNcm } from './form/use-ncm.ts';

export interface ChangeManyProps {
  readonly company: string;
  /** Products that are meant one by one. */
  readonly chosen: readonly number[];
  /** In their place, all that filters find: what the API is asked, and how many they are. */
  readonly found?: { readonly filter: Query; readonly total: number } | undefined;
  /** The NCM whose attributes are offered at first. */
  readonly ncm?: string;
  /** Deactivated ones are to be activated. */
  readonly reactivates?: boolean;
  readonly onClose: () => void;
}

export const CHANGES = '/appliance/api/products/changes';

export function ChangeMany(props: ChangeManyProps): JSX.Element {
  const { company, chosen, found, onClose } = props;
  const [, navigate] = useLocation();
  const rules = useResource<ProductForm>('/appliance/api/product-form').value;
  const [ncm, setNcm] = useState(props.ncm ?? '');
  const [fields, setFields] = useState<readonly Field[]>([]);
  const [filled, setFilled] = useState<AttributeValues>(NO_VALUES);
  const [reactivate, setReactivate] = useState(props.reactivates ?? false);
  const asked = useNcm(ncm, rules);
  const offered = asked.prepared === undefined ? [] : everyFieldOf(asked.prepared);
  const atributos = attributesOf(fields, filled);
  const trying = useAction(() =>
    api.post<ImportStarted>(CHANGES, {
      cpfCnpjRaiz: company,
      ...(found === undefined ? { codigos: chosen } : { filter: found.filter }),
      ...(fields.length > 0 && { set: { atributos } }),
      ...(reactivate && { reactivate }),
      simular: true,
    }),
  );
  const look = async (): Promise<void> => {
    const started = await trying.run();
    if (started !== undefined) navigate(`/importar/${started.id}?cpfCnpjRaiz=${company}`);
  };
  const isWhole = fields.every(({ codigo }) => codigo in atributos);
  return (
    <Dialog title="Alterar vários produtos" wide onClose={onClose}>
      <div class="stack">
        <p>
          {found === undefined
            ? `Os escolhidos (${count(chosen.length)})`
            : `Todos os que o filtro encontra (${count(found.total)})`}
        </p>
        <NcmField
          hasTable={rules?.attributeTable !== null}
          help="De que NCM são os atributos. Um produto de outra NCM que não tem o atributo fica como está."
          value={ncm}
          onChange={setNcm}
        />
        {isUnknownNcm(asked.error) ? (
          <Notice tone="warn">A tabela de atributos em vigor não tem esta NCM.</Notice>
        ) : (
          <ErrorAlert error={asked.error} onRetry={asked.reload} />
        )}
        {fields.map((field) => (
          <div key={field.codigo} class="change-field">
            <AttributeField
              field={field}
              filled={filled}
              onFilled={(change) => setFilled(change)}
              errorAt={() => undefined}
            />
            <Button
              small
              kind="bare"
              label={`Não alterar ${field.detail.nomeApresentacao}`}
              onPress={() => setFields(fields.filter((one) => one !== field))}
            >
              Não alterar
            </Button>
          </div>
        ))}
        <Combobox
          label={fields.length === 0 ? 'Atributo' : 'Mais um atributo'}
          help="O que se altera; todo o resto de cada produto fica como está."
          disabled={offered.length === 0}
          options={offered
            .filter(({ codigo }) => !fields.some((field) => field.codigo === codigo))
            .map(({ codigo, detail }) => ({ value: codigo, label: detail.nomeApresentacao }))}
          value=""
          onChange={(codigo) => setFields([...fields, ...offered.filter((field) => field.codigo === codigo)])}
        />
        <Checkbox label="Ativar os que estão desativados" value={reactivate} onChange={setReactivate} />
        <ErrorAlert error={trying.error} />
        <Actions>
          <Button
            kind="primary"
            busy={trying.busy}
            disabled={!isWhole || (fields.length === 0 && !reactivate)}
            onPress={() => void look()}
          >
            Conferir sem gravar
          </Button>
          <Button onPress={onClose}>Cancelar</Button>
        </Actions>
      </div>
    </Dialog>
  );
}

/** As the operation takes them; what is not filled in is not there. */
function attributesOf(fields: readonly Field[], all: AttributeValues): Readonly<Record<string, unknown>> {
  const { values, groups } = withoutEmpty(all);
  return Object.fromEntries(
    fields.flatMap(({ codigo, groups: parts }) => {
      const content = (parts.length === 0 ? values : groups)[codigo] ?? [];
      return content.length === 0 ? [] : [[codigo, content]];
    }),
  );
}
