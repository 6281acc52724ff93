/** Draws a symbol of index.html. It says nothing to assistive technology: words stand beside it. */
export const Icon = ({ name, className }: { readonly name: string; readonly className?: string }) => (
  <svg aria-hidden="true" className={className}>
    <use href={`#i-${name}`} />
  </svg>
)
