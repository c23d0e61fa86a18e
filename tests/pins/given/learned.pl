next_square(C,R,P) :- true_square(C,R,P).
next_turn(P) :- true_turn(P).
