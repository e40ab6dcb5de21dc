/** Whether two values of answers are the same, as one would write them. */
export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
