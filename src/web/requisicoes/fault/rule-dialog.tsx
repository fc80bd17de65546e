import { useMemo } from 'preact/hooks';
import type { AddedFaultRule } from '../../api/answers.ts';
import { api } from '../../api/api.ts';
import { useForm, type Form } from '../../api/use-form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { useResource } from '../../api/use-resource.ts';
import { Checkbox, Input } from '../../ui/field.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { Select } from '../../ui/select.tsx';
import { type RuleValues, ruleRequest, FAULT_KINDS, METHODS } from './rule.ts';

export function NewRuleDialog({
  initial,
  onClose,
  onAdded,
}: {
  readonly initial: RuleValues;
  readonly onClose: () => void;
  readonly onAdded?: () => void;
}) {
  const form = useForm(initial);
  const add = async (): Promise<void> => {
    const added = await form.submit((values) =>
      api.post<AddedFaultRule>('/appliance/api/faults', ruleRequest(values)),
    );
    if (added === undefined) return;
    toast(`Regra ${added.id} criada. Vale a partir da próxima requisição que combina.`);
    onAdded?.();
    onClose();
  };
  return (
    <FormDialog title="Nova regra" wide action="Criar regra" form={form} onClose={onClose} onSave={add}>
      <RuleFields form={form} />
    </FormDialog>
  );
}

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly operationId: string; readonly summary?: string }>>>
  >;
}

const ANY_METHOD = [{ value: '', label: 'Qualquer' }, ...METHODS.map((value) => ({ value, label: value }))];

/** The form of a fault rule: which requests fail, how, and how often. */
function RuleFields({ form }: { readonly form: Form<RuleValues> }) {
  const { kind, forever } = form.values;
  const operations = useOperations();
  const about = FAULT_KINDS.find((faultKind) => faultKind.kind === kind)?.about;
  return (
    <div class="requests-rule">
      <Select
        label="Falha"
        help={about}
        options={FAULT_KINDS.map((faultKind) => ({ value: faultKind.kind, label: faultKind.label }))}
        {...form.field('kind', 'fault/kind')}
      />
      {kind === 'status' && (
        <>
          <Input
            label="Status"
            code
            inputMode="numeric"
            help="200 a 599, menos 204, 205 e 304"
            {...form.field('status', 'fault/status')}
          />
          <Input
            label="Código do erro"
            code
            help="vazio: o desse status"
            {...form.field('code', 'fault/code')}
          />
          <Input label="Mensagem do erro" {...form.field('message', 'fault/message')} />
        </>
      )}
      {kind === 'delay' && (
        <Input
          label="Milissegundos"
          code
          inputMode="numeric"
          help="até 120 000"
          {...form.field('ms', 'fault/ms')}
        />
      )}
      {kind === 'truncate' && (
        <Input
          label="Bytes antes do corte"
          code
          inputMode="numeric"
          {...form.field('bytes', 'fault/bytes')}
        />
      )}
      <Combobox
        label="Operação"
        free
        help="vazio: qualquer uma"
        options={operations}
        {...form.field('operation')}
      />
      <Select label="Método" options={ANY_METHOD} {...form.field('method')} />
      <Input label="Caminho" code help="exato, ou com * no fim; vazio: qualquer um" {...form.field('path')} />
      <Input
        label="Raiz do CNPJ ou CPF"
        code
        help="vazio: de qualquer empresa"
        {...form.field('cpfCnpjRaiz')}
      />
      <Input
        label="Deixar passar antes"
        code
        inputMode="numeric"
        help="requisições que combinam e passam"
        {...form.field('after')}
      />
      {!forever && <Input label="Quantas vezes" code inputMode="numeric" {...form.field('times')} />}
      <Checkbox label="Sempre, até ser excluída" {...form.field('forever')} />
      <Input label="Em quantas de cada cem" code inputMode="numeric" {...form.field('percent')} />
    </div>
  );
}

function useOperations() {
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
