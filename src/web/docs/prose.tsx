/** Renders paragraphs and `code`, the only marks in our descriptions. */
export function Prose({ text }: { readonly text: string }) {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '');
  return (
    <>
      {paragraphs.map((paragraph) => (
        <p key={paragraph} class="prose">
          <Line text={paragraph} />
        </p>
      ))}
    </>
  );
}

const HELP_PATH = /(\/ajuda\/[a-z-]+)/;

/** Renders one line: `code`, and paths of the handbook as links. */
export function Line({ text }: { readonly text: string }) {
  // Between backticks, every second piece is code.
  return (
    <>
      {text
        .split('`')
        .map((piece, index) =>
          index % 2 === 1 ? <code key={index}>{piece}</code> : <Linked key={index} text={piece} />,
        )}
    </>
  );
}

const Linked = ({ text }: { readonly text: string }) => (
  <>
    {text.split(HELP_PATH).map((piece, index) =>
      index % 2 === 1 ? (
        <a key={index} href={piece}>
          {piece}
        </a>
      ) : (
        piece
      ),
    )}
  </>
);
