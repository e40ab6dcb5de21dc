/** Long lists in texts for people. */

/** The first lines, and how many more there are. */
export const folded = (lines: readonly string[], max = 10): readonly string[] =>
  lines.length > max ? [...lines.slice(0, max), `… and ${grouped(lines.length - max)} more`] : lines

/** A number with commas: `4,990`. */
export const grouped = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',')
