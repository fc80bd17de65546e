import type { JSX } from 'preact';
import { useRight } from '../../api/session.ts';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { ErrorAlert, Notice } from '../../ui/alert.tsx';
import { Actions, Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { instead } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/progress.tsx';
import { NewerVersions } from '../../versions/newer-versions.tsx';
import { AttributeFields, KeptAttributes } from './attribute-fields.tsx';
import { Identity } from './identity.tsx';
import type { FormMode } from './form-values.ts';
import type { Subject } from './send.ts';
import { isUnknownNcm } from './use-ncm.ts';
import { type ProductFormOptions, type ProductFormState, useProductForm } from './use-product-form.ts';

export function FormBody(props: ProductFormOptions & { readonly onCancel: () => void }): JSX.Element {
  const { subject, rules, onCancel } = props;
  const state = useProductForm(props);
  const { form, saving, save } = state;
  const { formRef, error } = form;
  const [isLeaving, setLeaving] = useState(false);
  const hasDrafts = ['novo', 'copia', 'rascunho'].includes(subject.mode);
  const mayActivate = useRight('aprovacao', subject.cpfCnpjRaiz);
  const twin = error?.problems.find(({ about }) => about?.twin !== undefined)?.about?.twin;
  return (
    <form
      class="product-form"
      ref={formRef}
      noValidate
      onSubmit={instead(() => save(mayActivate ? 'final' : 'propose'))}
    >
      <About {...subject} />
      {state.isRestored && (
        <Notice tone="calm">
          <p>O que você tinha digitado aqui, e ainda não foi salvo, está de volta.</p>
          <Button small onPress={state.startAgain}>
            Começar de novo
          </Button>
        </Notice>
      )}
      <Card title="Identificação">
        <Identity form={form} rules={rules} mode={subject.mode} />
      </Card>
      <Card title="Atributos">
        <Attributes state={state} company={subject.cpfCnpjRaiz} table={rules.attributeTable} />
      </Card>
      <ErrorAlert error={error} />
      <NewerVersions newer={state.newer} onSave={() => save(mayActivate ? 'final' : 'propose')} />
      {twin !== undefined && (
        <p>
          <Link href={`/produtos/${subject.cpfCnpjRaiz}/${twin}`}>
            Abrir o produto {twin}, que é idêntico
          </Link>
        </p>
      )}
      <Actions>
        <Button type="submit" kind="primary" isBusy={saving === 'final' || saving === 'propose'}>
          {!mayActivate ? 'Propor' : hasDrafts ? 'Salvar e ativar' : 'Salvar'}
        </Button>
        {hasDrafts && (
          <Button isBusy={saving === 'draft'} onPress={() => save('draft')}>
            Salvar rascunho
          </Button>
        )}
        <Button kind="bare" onPress={() => (form.changed ? setLeaving(true) : onCancel())}>
          Cancelar
        </Button>
      </Actions>
      {isLeaving && (
        <Confirm
          title="Deixar sem salvar?"
          action="Descartar"
          danger
          onConfirm={() => {
            form.reset();
            onCancel();
          }}
          onClose={() => setLeaving(false)}
        >
          <p>O que você mudou aqui ainda não foi salvo, e se perde.</p>
        </Confirm>
      )}
    </form>
  );
}

const ABOUT: { readonly [mode in FormMode]?: string } = {
  copia: 'Uma cópia é um produto novo, com código próprio. Os códigos internos não são copiados.',
  versao: 'A nova versão substitui todo o conteúdo do produto a partir de hoje, e o deixa ativado.',
  retificar: 'NCM e modalidade não mudam; para mudá-las, inclua uma nova versão.',
  rascunho: 'Um rascunho só precisa da denominação. Ao ativar, tudo é conferido.',
};

const About = ({ mode, versao }: Subject): JSX.Element | null =>
  ABOUT[mode] === undefined ? null : (
    <p class="muted">
      {mode === 'retificar' && `A retificação corrige a versão ${versao} para toda a vigência dela. `}
      {ABOUT[mode]}
    </p>
  );

function Attributes({
  state,
  company,
  table,
}: {
  readonly state: ProductFormState;
  readonly company: string;
  readonly table: string | null;
}): JSX.Element {
  const { form, requirements, context, deadlines, keptLists } = state;
  if (context !== undefined && table !== null)
    return (
      <AttributeFields
        company={company}
        context={context}
        deadlines={deadlines}
        table={table}
        errorAt={form.errorAt}
        filled={form.values.attributes}
        onFilled={(change, ...places) =>
          form.set(({ attributes }) => ({ attributes: change(attributes) }), ...places)
        }
      />
    );
  if (requirements.isLoading) return <Skeleton />;
  return (
    <>
      {table === null ? (
        <p class="muted">
          Nenhuma tabela de atributos está em vigor nesta instância, e sem ela não se sabe que atributos há: o
          produto é salvo com os que já tem, sem conferi-los. Para mudá-los, um administrador carrega a tabela
          em Atributos; a API e um arquivo em Importar aceitam qualquer atributo enquanto não há uma.
        </p>
      ) : isUnknownNcm(requirements.error) ? (
        <Notice tone="warn">
          <p>{requirements.error?.message} O produto só pode ser salvo como rascunho.</p>
        </Notice>
      ) : requirements.error !== undefined ? (
        <ErrorAlert error={requirements.error} onRetry={requirements.reload} />
      ) : (
        <p class="muted">
          {requirements.prepared === undefined
            ? 'Informe a NCM e a modalidade: os atributos que elas pedem aparecem aqui.'
            : 'Escolha a modalidade: os atributos que a NCM pede nela aparecem aqui.'}
        </p>
      )}
      <KeptAttributes lists={keptLists} />
    </>
  );
}
