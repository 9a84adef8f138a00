;; Counts the newlines of bytes, sixteen at a time. newlines.ts holds this module compiled; a test compiles it again
;; and compares.
(module
  (memory (export "memory") 1)
  ;; newlines among `length` bytes at `from`; what lies behind them up to a multiple of sixteen must hold none
  (func (export "count") (param $from i32) (param $length i32) (result i32)
    (local $end i32) (local $stop i32) (local $sums v128) (local $total i32)
    (local.set $end (i32.add (local.get $from) (local.get $length)))
    (block $done
      (loop $stretch
        (br_if $done (i32.ge_u (local.get $from) (local.get $end)))
        ;; a byte holds 255, so the sums of the sixteen columns are added up before that
        (local.set $stop (i32.add (local.get $from) (i32.const 4080)))
        (if (i32.gt_u (local.get $stop) (local.get $end)) (then (local.set $stop (local.get $end))))
        (local.set $sums (v128.const i32x4 0 0 0 0))
        (loop $next
          (local.set $sums
            (i8x16.sub
              (local.get $sums)
              (i8x16.eq (v128.load (local.get $from)) (i8x16.splat (i32.const 10)))))
          (local.set $from (i32.add (local.get $from) (i32.const 16)))
          (br_if $next (i32.lt_u (local.get $from) (local.get $stop))))
        (local.set $sums (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $sums))))
        (local.set $total
          (i32.add
            (local.get $total)
            (i32.add
              (i32.add (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
              (i32.add (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums))))))
        (br $stretch)))
    (local.get $total)))
