/** The dialog of a new fault rule: which requests fail, how, and how often. */
import { useMemo } from 'preact/hooks';
import type { AddedFaultRule } from '../../api/answers.ts';
import { api } from '../../api/api.ts';
import { useResource } from '../../api/use-resource.ts';
import type { FieldKind, FieldSpec } from '../../kit/record-list/fields.tsx';
import { RecordDialog } from '../../kit/record-list/record-list.tsx';
import type { Option } from '../../ui/select.tsx';
import { FAULT_KINDS, METHODS, type RuleValues, ruleRequest } from './rule.ts';

export function NewRuleDialog(props: {
  readonly initial: RuleValues;
  readonly onClose: () => void;
  readonly onAdded?: () => void;
}) {
  const { initial, onClose, onAdded = () => {} } = props;
  const fields = fieldsWith(useOperations());
  return (
    <RecordDialog
      form={{
        add: 'Nova regra',
        action: 'Criar regra',
        layout: 'requests-rule',
        fields,
        valuesOf: () => initial,
        send: (values) => api.post<AddedFaultRule>('/appliance/api/faults', ruleRequest(values)),
        saved: ({ id }) => `Regra ${id} criada. Vale a partir da próxima requisição que combina.`,
      }}
      onChanged={onAdded}
      onClose={onClose}
    />
  );
}

const ANY_METHOD = [{ value: '', label: 'Qualquer' }, ...METHODS.map((value) => ({ value, label: value }))];

const fieldsWith = (operations: readonly Option[]): readonly FieldSpec<RuleValues>[] => [
  {
    name: 'kind',
    place: 'fault/kind',
    label: 'Falha',
    kind: 'choice',
    options: FAULT_KINDS.map(({ kind, label }) => ({ value: kind, label })),
    help: (values) => FAULT_KINDS.find(({ kind }) => kind === values.kind)?.about ?? '',
  },
  faultField('status', 'status', 'number', 'Status', '200 a 599, menos 204, 205 e 304'),
  faultField('status', 'code', 'code', 'Código do erro', 'vazio: o desse status'),
  faultField('status', 'message', 'text', 'Mensagem do erro'),
  faultField('delay', 'ms', 'number', 'Milissegundos', 'até 120 000'),
  faultField('truncate', 'bytes', 'number', 'Bytes antes do corte'),
  { name: 'operation', label: 'Operação', kind: 'record', help: 'vazio: qualquer uma', options: operations },
  { name: 'method', label: 'Método', kind: 'choice', options: ANY_METHOD },
  { name: 'path', label: 'Caminho', kind: 'code', help: 'exato, ou com * no fim; vazio: qualquer um' },
  { name: 'cpfCnpjRaiz', label: 'Raiz do CNPJ ou CPF', kind: 'code', help: 'vazio: de qualquer empresa' },
  { name: 'after', label: 'Deixar passar antes', kind: 'number', help: 'requisições que combinam e passam' },
  { name: 'times', label: 'Quantas vezes', kind: 'number', isVisible: ({ forever }) => !forever },
  { name: 'forever', label: 'Sempre, até ser excluída', kind: 'check' },
  { name: 'percent', label: 'Em quantas de cada cem', kind: 'number' },
];

/** Returns a field that only one kind of fault has. */
const faultField = (
  faultKind: string,
  name: keyof RuleValues,
  kind: FieldKind,
  label: string,
  help?: string,
): FieldSpec<RuleValues> => ({
  name,
  place: `fault/${name}`,
  label,
  kind,
  ...(help !== undefined && { help }),
  isVisible: (values) => values.kind === faultKind,
});

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly operationId: string; readonly summary?: string }>>>
  >;
}

function useOperations(): readonly Option[] {
  const document = useResource<Document>('/openapi.json');
  return useMemo(
    () =>
      Object.values(document.value?.paths ?? {})
        .flatMap((item) => Object.values(item))
        .map(({ operationId, summary = '' }) => ({ value: operationId, label: summary }))
        .toSorted((a, b) => a.value.localeCompare(b.value)),
    [document.value],
  );
}
