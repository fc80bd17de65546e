/** Lists the problems of a request with the accepted values. */
import type { JSX } from 'preact';
import type { AdvisedProblem } from '../../api/answers.ts';
import { CopyButton } from '../../ui/copy-button.tsx';

export const ProblemList = ({ problems }: { readonly problems: readonly AdvisedProblem[] }): JSX.Element => (
  <section class="requests-problems">
    <h3>O que estava errado, e o que teria sido válido</h3>
    <ul class="plain">
      {problems.map((problem, index) => (
        <li key={index}>
          <p>
            {problem.path !== null && problem.path !== '' && <code>{problem.path}</code>}{' '}
            <bdi>{problem.message}</bdi>{' '}
            {problem.code !== null && <span class="error-code">{problem.code}</span>}
          </p>
          <Advice problem={problem} />
        </li>
      ))}
    </ul>
  </section>
);

function Advice({
  problem: { suggestion, valid },
}: {
  readonly problem: AdvisedProblem;
}): JSX.Element | null {
  if (suggestion === null && valid === null) return null;
  const text = JSON.stringify(valid);
  return (
    <p class="requests-advice">
      {suggestion !== null && <bdi>{suggestion}</bdi>}
      {valid !== null && (
        <>
          {' '}
          <code>{text}</code> <CopyButton text={text} label={`Copiar ${text}`} />
        </>
      )}
    </p>
  );
}
