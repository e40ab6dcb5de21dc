/** Tables in Markdown. The first column of words is on the left, numbers are on the right. */
export function table(heads, rows) {
  const isNumber = heads.map((_, column) => rows.every((row) => !Number.isNaN(Number(row[column].replace(' %', '')))))
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column].length)))
  const line = (cells) =>
    `| ${cells.map((cell, i) => (isNumber[i] ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join(' | ')} |`
  const rule = widths.map((width, i) => (isNumber[i] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)))
  return [line(heads), line(rule), ...rows.map(line)].join('\n')
}
