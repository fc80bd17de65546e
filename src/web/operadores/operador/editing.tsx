/** Replaces the operator view by the form of a new version or of a rectification. */
import type { JSX } from 'preact';
import type { Resource } from '../../api/use-resource.ts';
import { ResourceView } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { OperatorForm } from '../form.tsx';
import type { Operator } from '../operator.ts';

export function Editing({
  mode,
  content,
  inForce,
  onDone,
  onCancel,
}: {
  readonly mode: 'versao' | 'retificar';
  /** The content that the form starts from. */
  readonly content: Resource<Operator>;
  /** The version in force when the page was loaded. */
  readonly inForce: string;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}): JSX.Element {
  return (
    <div class="stack">
      <p class="muted">
        {mode === 'versao'
          ? 'O conteúdo daqui substitui todo o da versão vigente, e o operador fica ativado.'
          : 'Uma retificação corrige a versão pelo mesmo período em que ela vale, e recebe o seu próprio número.'}
      </p>
      <ResourceView resource={content}>
        {(operator) => (
          <OperatorForm
            key={`${mode} ${operator.versao}`}
            cpfCnpjRaiz={operator.cpfCnpjRaiz}
            mode={mode}
            from={operator}
            inForce={inForce}
            onSaved={({ versao }) => {
              toast(`Versão ${versao} gravada.`);
              onDone();
            }}
            onCancel={onCancel}
          />
        )}
      </ResourceView>
    </div>
  );
}
